import type { Element, Properties } from 'hast';
import { attribute, findAll, h } from '#server/html/edit-elements.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { type BodyContext, linkTo } from './embeds.ts';
import { fileNameOf, type LinkOptions, mediaUrl, securedLink } from './links.ts';

const SIZE = /^[1-9]\d{1,3}$/;

function sourceOf(element: Element, options: LinkOptions): Element[] {
  const src = mediaUrl(element.properties.src, options);
  const type = attribute(element, 'type');
  return src === null
    ? []
    : [h('source', { src, ...(/^(?:audio|video)\/[\w.+-]{1,40}$/.test(type) && { type }) })];
}

/**
 * Returns the captions of a recording, or a link to those that the browser would not load: of another host it wants CORS,
 * which the author says by `crossorigin`. Set by us it would stop a recording whose host has none. With `default` they would be
 * loaded before anybody asks: the allow-list leaves it out.
 */
function captionsOf(recording: Element, options: LinkOptions, t: Translate): Element[] {
  const tracks = findAll(recording, 'track');
  return tracks.flatMap(({ properties: { src: written, ...properties } }) => {
    const src = mediaUrl(written, options);
    if (src === null) return [];
    const url = new URL(src, options.publicOrigin);
    const loads = recording.properties.crossOrigin !== undefined || url.origin === options.publicOrigin;
    return [loads ? h('track', { src, ...properties }) : linkTo(url, t(en.theCaptions), t)];
  });
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

/** Returns links to files that the author names beside those that are played, and to one that its host may only have over http. */
function otherFiles(recording: Element, sources: readonly Element[], t: Translate): Element[] {
  const played = new Set(sources.map((source) => fileNameOf(attribute(source, 'src'))));
  const links = findAll(recording, 'a');
  const others = links.filter((link) => !played.has(fileNameOf(attribute(link, 'href'))));
  const written = [recording, ...findAll(recording, 'source')];
  const plain = written
    .map((source) => URL.parse(attribute(source, 'src')))
    .find(
      (url) => url?.protocol === 'http:' && !sources.some(({ properties }) => properties.src === url.href),
    );
  return plain ? [...others, linkTo(plain, fileNameOf(plain.href) || t(en.thePage), t)] : others;
}

/** Returns an `audio` or `video` with the browser's controls, which loads nothing by itself; nothing for one without a source. */
export function rebuiltMedia(element: Element, options: LinkOptions, { note, t }: BodyContext): Element[] {
  const { tagName } = element;
  const inner = findAll(element, 'source');
  const sources = [element, ...inner].flatMap((source) => sourceOf(source, options));
  const [first] = sources;
  const others = otherFiles(element, sources, t);
  if (!first) {
    if (others.length === 0) note('removed', tagName);
    return others;
  }
  const captions = captionsOf(element, options, t);
  const links = captions.filter((caption) => caption.tagName === 'a');
  for (const link of links) note('link', 'track', attribute(link, 'href'));
  const title = attribute(element, 'title') || fileNameOf(String(first.properties.src));
  const properties = {
    controls: true,
    preload: 'none',
    title,
    ...(element.properties.crossOrigin !== undefined && { crossOrigin: 'anonymous' }),
    ...(tagName === 'video' && videoProperties(element, options)),
  };
  const tracks = captions.filter((caption) => caption.tagName === 'track');
  const beside = [...links, ...others];
  for (const link of beside) link.properties = securedLink(link, options);
  return [h(tagName, properties, [...sources, ...tracks]), ...beside];
}
