import type { Video } from '#shared/models/article.ts';

/** The player, which sets no cookie before it plays. */
export function playerUrl({ provider, id }: Video): string {
  return provider === 'youtube'
    ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`
    : `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`;
}

/** The same for structured data: an address that can be embedded. */
export function embedUrl(video: Video): string {
  const address = new URL(playerUrl(video));
  address.search = '';
  return address.href;
}

/** The provider's own page of the video. */
export function watchAddress({ provider, id }: Video): string {
  return provider === 'youtube' ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
