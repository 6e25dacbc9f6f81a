import type { Video } from '#shared/models/article.ts';

/** Returns the player's URL without what makes it play, for structured data. */
export function embedUrl({ provider, id }: Video): string {
  return provider === 'youtube'
    ? `https://www.youtube-nocookie.com/embed/${id}`
    : `https://player.vimeo.com/video/${id.replace('/', '?h=')}`;
}

/** Returns the player's URL: autoplay, and no cookies before it plays. */
export function playerUrl(video: Video): string {
  const url = new URL(embedUrl(video));
  url.searchParams.set('autoplay', '1');
  if (video.provider === 'vimeo') url.searchParams.set('dnt', '1');
  return url.href;
}

/** Returns the URL of the video's page at its provider. */
export function watchUrl({ provider, id }: Video): string {
  return provider === 'youtube' ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
