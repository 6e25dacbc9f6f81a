import type { ElementContent, Root, Text } from 'hast';
import { editChildren, findByName, h } from '#server/html/elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import { MATH_ELEMENTS } from './formulas.ts';
import { FILES } from './stand-ins.ts';

/** `[embed]https://…[/embed]`, `[youtube https://…]`, `[youtube=https://…]`. */
const EMBED =
  /\[(?:embed|embedyt|youtube|vimeo|soundcloud|spotify|tweet|instagram|tiktok)(?:\s[^[\]]{0,200})?(?:\]\s*|[\s=]\s*)(https?:\/\/[^\s[\]"“”″]{3,2000})\s*(?:\[\/\w+\]|[^[\]]{0,200}\])/;
const CAPTION = /(\[caption\s[^[\]]{0,2000}\]|\[\/caption\])/;
/** Tags of page builders, which do not run for the REST API: WPBakery, Divi, Avada, Enfold, Jupiter and others. Quotes may be curly by then. */
const BUILDER = /(\[\/?(?:vc|et_pb|fusion|av|mk|cs|ux|su|tatsu|nectar)_[^[\]]{1,4000}\])/;
/** A shortcode with settings that is all of its text: of a plugin that is gone, or as it stands in the database. */
const ALONE = /^\s*(\[(?!caption\s)[a-z][\w-]*\s+[\w-]+=[^[\]]{1,4000}\])(?:\s*\[\/[\w-]+\])?\s*$/i;
const SETTINGS =
  /\s(title|text|heading|button_text|alt|src|image|link|id|url|mp3|m4a|ogg|wav|mp4|m4v|webm)=["“”″]([^"“”″]+)["“”″]/g;
const OPENING = /^\[caption\s/;
const CLOSING = '[/caption]';
const AS_WRITTEN = new Set(['pre', 'code', 'kbd', 'samp', 'textarea', 'math', ...MATH_ELEMENTS]);

const text = (value: string): Text => ({ type: 'text', value });

/** Splits texts by a pattern, and makes something of what its only group holds. */
function split(
  children: readonly ElementContent[],
  pattern: RegExp,
  made: (held: string) => ElementContent,
): ElementContent[] {
  return children.flatMap((child): ElementContent[] =>
    child.type === 'text'
      ? child.value.split(pattern).map((part, at) => (at % 2 === 0 ? text(part) : made(part)))
      : [child],
  );
}

/** Returns what readers see of a shortcode: a picture, a player; of a page builder's also the words of its settings. The rest is layout. */
function shownBy(tag: string): ElementContent {
  const settings = [...tag.matchAll(SETTINGS)].map(([, name = '', value = '']) => ({ name, value }));
  const named = (names: RegExp) => settings.find(({ name }) => names.test(name))?.value ?? '';
  const address = settings.find(({ value }) => /^https?:/.test(value))?.value ?? '';
  const words = BUILDER.test(tag) ? named(/title|text|heading/) : '';
  const file = FILES.find(([pattern]) => pattern.test(address))?.[1];
  const parts = [
    ...(file ? [h(file, { src: address, alt: named(/alt/) })] : []),
    ...(embedOf(address) ? [h('p', {}, [text(address)])] : []),
    ...(words === '' ? [] : [h('p', {}, [h('strong', {}, [text(words)])])]),
  ];
  return parts.length === 0 ? text('') : h('div', {}, parts);
}

/** Returns the figure of a caption shortcode: its two marks and the nodes between them; undefined where none of these is a picture. */
function figureOf([opening = text(''), ...content]: readonly ElementContent[]): ElementContent | undefined {
  const at = content.findIndex((node) => findByName(h('p', {}, [node]), 'img'));
  if (at === -1) return undefined;
  const attributes = singleLineText(opening);
  const [, side] = /align=["“”]?(align\w+)/.exec(attributes) ?? [];
  // Old ones hold their words so.
  const [, words = ''] = /caption=["“”]([^"“”]+)/.exec(attributes) ?? [];
  return h('figure', { className: side ? [side] : [] }, [
    ...content.slice(0, at + 1),
    h('figcaption', {}, [text(words), ...content.slice(at + 1, -1)]),
  ]);
}

function withCaptions(parts: readonly ElementContent[]): ElementContent[] {
  const made: ElementContent[] = [];
  let opened: number | undefined;
  for (const part of parts) {
    const mark = part.type === 'text' ? part.value : '';
    if (OPENING.test(mark)) opened = made.length;
    made.push(part);
    if (mark !== CLOSING || opened === undefined) continue;
    const figure = figureOf(made.slice(opened));
    if (figure) made.splice(opened, made.length, figure);
    opened = undefined;
  }
  return made;
}

/**
 * Makes what they mean of shortcodes that WordPress leaves in a body: an address alone, a picture with its caption, one that
 * stands alone, and the tags of page builders.
 */
export function expandShortcodes(root: Root): void {
  const expanded = (children: Root['children']): ElementContent[] | undefined => {
    if (!children.some((child) => child.type === 'text' && child.value.includes('['))) return undefined;
    const content = children.filter((child) => child.type !== 'doctype');
    const embedded = split(content, EMBED, (address) => h('p', {}, [text(address)]));
    return withCaptions(split(split(split(embedded, ALONE, shownBy), BUILDER, shownBy), CAPTION, text));
  };
  editChildren(root, (element) => {
    if (!AS_WRITTEN.has(element.tagName)) element.children = expanded(element.children) ?? element.children;
    return undefined;
  });
  root.children = expanded(root.children) ?? root.children;
}
