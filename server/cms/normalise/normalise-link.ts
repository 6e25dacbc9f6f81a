import { cmsGiven, withPlainAmpersands } from '#server/cms/lenient-parsing.ts';
import { attribute, findByName } from '#server/html/find-elements.ts';
import { parseBoundedHtml } from '#server/html/parse-bounded-html.ts';
import { embedOf } from '#shared/embed-providers.ts';
import type { Video } from '#shared/models/article.ts';

const MAX_LENGTH = 2048;

/** An address, or that of the frame where an editor has put a player's embed code in its place; null where there is none. */
export const cmsMediaLink = cmsGiven.transform((text) => {
  if (!text?.trimStart().startsWith('<')) return text && withPlainAmpersands(text);
  const frame = findByName(parseBoundedHtml(text.slice(0, MAX_LENGTH)).root, 'iframe');
  const src = frame && (attribute(frame, 'src') || attribute(frame, 'dataSrc'));
  return src?.replace(/^\/\//, 'https://') ?? text;
});

/** Returns an absolute `http:` or `https:` URL in its normal form; null for anything else. */
export function normaliseLink(value: string | null): string | null {
  if (value === null || value.length > MAX_LENGTH) return null;
  const url = URL.parse(value.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  return url.href;
}

/** Returns the video of a YouTube or Vimeo URL, which must have exactly their hosts; null for any other URL. */
export function normaliseVideo(link: string | null): Video | null {
  const embed = link === null ? null : embedOf(link);
  if (embed?.provider === 'Vimeo') return { provider: 'vimeo', id: embed.id };
  // Without the second at which it starts.
  const id = embed?.id.split('/')[0] ?? '';
  const isVideo = embed?.provider === 'YouTube' && embed.player.includes(`/embed/${id}`);
  return isVideo ? { provider: 'youtube', id } : null;
}
