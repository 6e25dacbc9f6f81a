import type { Element, Properties } from 'hast';
import { attribute, findAll, h } from './elements.ts';
import { type LinkOptions, mediaUrl } from './links.ts';

const SIZE = /^[1-9]\d{1,3}$/;

function nameOf(src: string): string {
  const file = src.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

function sourceOf(element: Element, options: LinkOptions): Element[] {
  const src = mediaUrl(element.properties.src, options);
  const type = attribute(element, 'type');
  return src === null
    ? []
    : [h('source', { src, ...(/^(?:audio|video)\/[\w.+-]{1,40}$/.test(type) && { type }) })];
}

function videoProperties(video: Element, options: LinkOptions): Properties {
  const poster = mediaUrl(video.properties.poster, options);
  const [width, height] = [attribute(video, 'width'), attribute(video, 'height')];
  return {
    ...(poster !== null && { poster }),
    ...(SIZE.test(width) && SIZE.test(height) && { width: Number(width), height: Number(height) }),
    playsInline: true,
  };
}

/** Returns an `audio` or `video` with the browser's controls, which loads nothing by itself; nothing for one without a source. */
export function rebuiltMedia(element: Element, options: LinkOptions): Element[] {
  const { tagName } = element;
  const inner = findAll(element, (child) => child.tagName === 'source');
  const sources = [element, ...inner].flatMap((source) => sourceOf(source, options));
  const [first] = sources;
  if (!first) return [];
  const title = attribute(element, 'title') || nameOf(String(first.properties.src));
  const properties = {
    controls: true,
    preload: 'none',
    title,
    ...(tagName === 'video' && videoProperties(element, options)),
  };
  return [h(tagName, properties, sources)];
}
