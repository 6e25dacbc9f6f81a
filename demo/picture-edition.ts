import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from './content.ts';
import type { PictureContent } from './pictures/picture.ts';

/** What pictures are made of the content. */
export function pictureContentOf({ posts, authors, events, advertisements }: Content): PictureContent {
  return {
    posts: posts.map(({ slug, category, figures }) => ({ slug, category, figures })),
    authors: authors.filter(({ photo }) => photo).map(({ key }) => ({ key })),
    events: events.map(({ slug }) => ({ slug })),
    advertisements: advertisements.map(({ key, slot, advertiser, headline, line, callToAction }) => ({
      key,
      slot,
      advertiser,
      headline,
      line,
      callToAction,
    })),
  };
}

/** A name that changes whenever a picture might look different: with the drawing code, and with what is drawn. */
export function pictureEdition(content: PictureContent): string {
  const hash = createHash('sha256').update(JSON.stringify(content));
  const dir = join(import.meta.dirname, 'pictures');
  for (const file of globSync('**/*.ts', { cwd: dir }).sort()) hash.update(readFileSync(join(dir, file)));
  return hash.digest('hex').slice(0, 16);
}
