import type { FastifyInstance } from 'fastify';
import type { AdvertisementEntry, Content, NamedSlug } from '#demo/load-content.ts';
import { type Author, seedAuthors } from '#demo/seed.ts';
import { stableId } from '#demo/stable-id.ts';

/** Lists that are served as their files have them: authors, categories and advertisements. */
export function listRoutes(app: FastifyInstance, content: Content): void {
  const authors = seedAuthors(content);
  app.get<{ Params: { id: string } }>('/api/author/:id', async ({ params }) => ({
    result: authors.filter(({ id }) => String(id) === params.id).map(authorOf),
  }));
  app.get('/api/category/all', async () => content.categories.map(categoryOf));
  app.get('/api/category/subcatlist', async () => content.subcategories.map(subcategoryOf));
  app.get('/api/advertisement/get_active', async () => content.advertisements.map(advertisementOf));
}

function authorOf(author: Author) {
  return {
    id: author.id,
    author_name: author.key,
    author_display_name: author.name,
    author_description: author.description,
    author_photo: author.photo ? `/authors/${author.key}.jpg` : null,
    user_status: 0,
    user_role: 'author',
  };
}

function advertisementOf(ad: AdvertisementEntry) {
  return {
    id: stableId(ad.key),
    banner_type: ad.slot,
    banner_img: `/ads/${ad.key}.jpg`,
    banner_name: `${ad.advertiser}: ${ad.headline}`,
    dest_url: ad.destination,
    duration_time: ad.seconds,
    status: 'active',
  };
}

function categoryOf({ slug, name }: NamedSlug, index: number) {
  return { id: index + 1, cat_slug: slug, cat_name: name, cat_parent: 0 };
}

function subcategoryOf({ slug, name }: NamedSlug, index: number) {
  return { id: index + 1, subcat_slug: slug, subcat_name: name };
}
