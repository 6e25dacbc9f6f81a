import { useSettings, useSite, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { imageUrl, SHARE_CROP, SHARE_IMAGE } from '#shared/urls.ts';

interface PageHeadProps {
  /** Without the site's name. */
  title: string;
  description: string;
  /** Page of a list: title and description name it from page 2 on. */
  page?: number;
  /** Canonical path and query; absent: no canonical URL (error pages). */
  path?: string;
  image?: string | null;
  type?: 'website' | 'article';
  publishedAt?: string | null;
  author?: string | null;
  keywords?: readonly string[];
  noIndex?: boolean;
  /** Path and title of the page's feed. */
  feed?: { path: string; title: string };
}

/** Renders title, description, canonical URL, Open Graph and Twitter tags. React hoists them into the head. */
export function PageHead({ page = 1, ...own }: PageHeadProps) {
  const t = useTexts();
  const { origin } = useSite();
  const site = useSettings();
  const props =
    page === 1
      ? own
      : {
          ...own,
          title: t(en.titleOfPage, { title: own.title, page }),
          description: t(en.descriptionOfPage, { page, description: own.description }),
        };
  const title = props.title === site.name ? `${site.name}: ${site.tagline}` : `${props.title} | ${site.name}`;
  const canonical = props.path && new URL(props.path, origin).href;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={props.description} />
      <meta
        name="robots"
        content={props.noIndex || site.noIndex ? 'noindex' : 'index, follow, max-image-preview:large'}
      />
      {props.keywords?.length ? <meta name="keywords" content={props.keywords.join(', ')} /> : null}
      {canonical && <link rel="canonical" href={canonical} />}
      {props.feed && (
        <link rel="alternate" type="application/rss+xml" href={props.feed.path} title={props.feed.title} />
      )}
      {props.author && <meta name="author" content={props.author} />}
      {import.meta.env.SSR && <ShareTags {...props} origin={origin} />}
    </>
  );
}

/**
 * Renders Open Graph and Twitter tags, with an image that this origin crops to what networks show whole. On the server alone:
 * who reads them asks for the document and runs no script, and the browser's bundle has no byte to spare. After a
 * navigation inside the page they still describe the document that was loaded, by its `og:url`.
 */
function ShareTags({ path, image, origin, ...page }: PageHeadProps & { origin: string }) {
  const site = useSettings();
  const isOwnImage = image?.[0] === '/';
  const shown = image && (isOwnImage ? `${image}?crop=${SHARE_CROP}` : imageUrl(image, SHARE_IMAGE.width));
  const imagePath = shown || site.shareImage;
  const imageHref = imagePath && new URL(imagePath, origin).href;
  return (
    <>
      {path && <meta property="og:url" content={new URL(path, origin).href} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={page.type ?? 'website'} />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      {imageHref && <meta property="og:image" content={imageHref} />}
      {isOwnImage && <meta property="og:image:width" content={String(SHARE_IMAGE.width)} />}
      {isOwnImage && <meta property="og:image:height" content={String(SHARE_IMAGE.height)} />}
      {imageHref && <meta property="og:image:alt" content={page.title} />}
      {page.publishedAt && <meta property="article:published_time" content={page.publishedAt} />}
      <meta name="twitter:card" content={imageHref ? 'summary_large_image' : 'summary'} />
      {site.xHandle && <meta name="twitter:site" content={site.xHandle} />}
    </>
  );
}
