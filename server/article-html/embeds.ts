import type { Element } from 'hast';
import { normaliseVideo } from '#server/cms/normalise/normalise-video.ts';
import type { Video } from '#shared/models/article.ts';

function playerUrl({ provider, id }: Video): string {
  if (provider === 'youtube') return `https://www.youtube-nocookie.com/embed/${id}`;
  return `https://player.vimeo.com/video/${id}`;
}

function player(video: Video): Element {
  const properties = {
    className: ['embed'],
    src: playerUrl(video),
    title: 'Video',
    width: 560,
    height: 315,
    loading: 'lazy',
    allowFullScreen: true,
    referrerPolicy: 'strict-origin-when-cross-origin',
  };
  return { type: 'element', tagName: 'iframe', properties, children: [] };
}

/** Returns a frame of YouTube or Vimeo, made of nothing but the id of the video; nothing for every other frame. */
export function rebuiltEmbed({ properties: { src } }: Element): Element[] {
  const video = typeof src === 'string' ? normaliseVideo(src) : null;
  return video === null ? [] : [player(video)];
}
