import type { Video } from '#shared/models/article.ts';

/** Returns the player's URL without what makes it play, for structured data. */
export function embedUrl({ provider, id }: Video): string {
  return provider === 'youtube'
    ? `https://www.youtube-nocookie.com/embed/${id}`
    : `https://player.vimeo.com/video/${id.replace('/', '?h=')}`;
}

/** Returns the player's URL: autoplay, and no cookies before it plays. */
export function playerUrl(video: Video): string {
  const url = embedUrl(video);
  const query = video.provider === 'youtube' ? 'autoplay=1' : 'autoplay=1&dnt=1';
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** Returns the URL of the video's page at its provider. */
export function watchUrl({ provider, id }: Video): string {
  return provider === 'youtube' ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
