import type { Video } from '#shared/models/article.ts';

/** Returns the player's URL: autoplay, and no cookies before it plays. */
export function playerUrl({ provider, id }: Video): string {
  return provider === 'youtube'
    ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`
    : `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`;
}

/** Returns the player's URL without parameters, for structured data. */
export function embedUrl(video: Video): string {
  const url = new URL(playerUrl(video));
  url.search = '';
  return url.href;
}

/** Returns the URL of the video's page at its provider. */
export function watchUrl({ provider, id }: Video): string {
  return provider === 'youtube' ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
