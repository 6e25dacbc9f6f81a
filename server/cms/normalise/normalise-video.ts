import { embedOf } from '#shared/embeds.ts';
import type { Video } from '#shared/models/article.ts';

/** Returns the video of a YouTube or Vimeo URL, which must have exactly their hosts; null for any other URL. */
export function normaliseVideo(link: string | null): Video | null {
  const embed = link === null ? null : embedOf(link);
  if (embed?.provider === 'Vimeo') return { provider: 'vimeo', id: embed.id };
  const isVideo = embed?.provider === 'YouTube' && embed.player.endsWith(`/embed/${embed.id}`);
  return isVideo ? { provider: 'youtube', id: embed.id } : null;
}
