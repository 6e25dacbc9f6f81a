import { z } from 'zod';
import { cmsNumber, cmsText } from './cms-values.ts';

/** Schemas of the upstream's entities (specification, section 3): any field may be missing or of another type. */

export const cmsPost = z.object({
  id: cmsText,
  cat_slug: cmsText,
  post_name: cmsText,
  post_title: cmsText,
  post_content: cmsText,
  p_content: cmsText,
  post_author: cmsText,
  post_author_id: cmsText,
  post_date: cmsText,
  /** Not of the specification: when the post was changed last, where a CMS says so. */
  updated_at: cmsText,
  sponsor: cmsText,
  author_url: cmsText,
  meta_description: cmsText,
  meta_keywords: cmsText,
  banner_img: cmsText,
  banner_show: cmsNumber,
  podcast_link: cmsText,
  reading_time: cmsText,
});
export type CmsPost = z.infer<typeof cmsPost>;

export const cmsAuthor = z.object({
  author_name: cmsText,
  author_display_name: cmsText,
  author_description: cmsText,
  author_photo: cmsText,
  // Not in the specification: used where an upstream sends it.
  author_url: cmsText,
});
export type CmsAuthor = z.infer<typeof cmsAuthor>;

export const cmsAdvertisement = z.object({
  banner_type: cmsText,
  banner_img: cmsText,
  banner_name: cmsText,
  dest_url: cmsText,
  duration_time: cmsNumber,
  // Not in the specification: used where an upstream sends it.
  pixel_url: cmsText,
});
export type CmsAdvertisement = z.infer<typeof cmsAdvertisement>;

export const cmsCategory = z.object({ cat_slug: cmsText, cat_name: cmsText });
export type CmsCategory = z.infer<typeof cmsCategory>;

export const cmsSubcategory = z.object({ subcat_slug: cmsText, subcat_name: cmsText });
export type CmsSubcategory = z.infer<typeof cmsSubcategory>;

export const cmsEvent = z.object({
  event_id: cmsText,
  event_title: cmsText,
  event_slug: cmsText,
  event_banner: cmsText,
  event_location: cmsText,
  event_date: cmsText,
  // Not in the specification: used where an upstream sends it.
  event_end_date: cmsText,
  event_desc: cmsText,
  event_link: cmsText,
  podcast_link: cmsText,
});
export type CmsEvent = z.infer<typeof cmsEvent>;
