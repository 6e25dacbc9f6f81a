import type { Element, Root } from 'hast';
import { normaliseVideo } from '#server/cms/normalise/normalise-video.ts';
import type { Video } from '#shared/models/article.ts';
import { editChildren } from './edit-children.ts';

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

/** Rebuilds frames of YouTube and Vimeo from nothing but the id of the video; removes every other frame. */
export function rebuildEmbeds() {
  return (root: Root): void => {
    editChildren(root, (element) => {
      if (element.tagName !== 'iframe') return 'keep';
      const { src } = element.properties;
      const video = typeof src === 'string' ? normaliseVideo(src) : null;
      return video === null ? [] : [player(video)];
    });
  };
}
