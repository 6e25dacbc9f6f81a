import type { Options } from 'rehype-sanitize';
import { DROPPED_ELEMENTS } from '#server/html/text-content.ts';
import { CLASSES } from './blocks.ts';
import { MATH_ELEMENTS } from './formulas.ts';
import { LINK_SCHEMES } from './links.ts';

/** Containers whose role belongs to the page: they become plain blocks. */
export const RENAMED_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ...'address article aside center fieldset footer form header hgroup main nav section'
    .split(' ')
    .map((name) => [name, 'div'] as const),
  ['acronym', 'abbr'],
  ['dir', 'ul'],
  ['listing', 'pre'],
  ['menu', 'ul'],
  ['strike', 's'],
  ['tt', 'code'],
]);

/** Elements that an article's body may have. Any other element is replaced by its content. */
export const ALLOWED_ELEMENTS = [
  'p div br hr wbr h1 h2 h3 h4 h5 h6 blockquote pre figure figcaption ul ol li dl dt dd details summary a img',
  'audio video source track table caption colgroup col thead tbody tfoot tr th td',
  'math',
  'span abbr b strong i em u s del ins sub sup small mark q cite dfn time code kbd samp var bdi bdo ruby rt rp',
  ...MATH_ELEMENTS,
].flatMap((names) => names.split(' '));

/** Removed with their content. */
export const STRIPPED_ELEMENTS = [...DROPPED_ELEMENTS, 'iframe'].filter(
  (name) => !ALLOWED_ELEMENTS.includes(name),
);

const RANK: [string, string] = ['dataRank', '1'];
const SPANS: [string, RegExp][] = [
  ['colSpan', /^\d{1,3}$/],
  ['rowSpan', /^\d{1,3}$/],
];
const CITE: [string, RegExp] = ['cite', /^https?:\/\/[^\s"<>]{1,2000}$/];
const RECORDING = ['src', 'title', 'crossOrigin', 'controls', 'preload'];
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i;
const WHOLE: RegExp = /^-?\d{1,5}$/;

/**
 * Allow-list for rehype-sanitize, of what is written and of the result: what the following steps add does no harm where an
 * author wrote it. They replace every id and URL; those of other schemes do not pass.
 */
export const SANITIZE_SCHEMA: Options = {
  tagNames: ALLOWED_ELEMENTS,
  strip: STRIPPED_ELEMENTS,
  attributes: {
    '*': ['id', ['dir', 'ltr', 'rtl', 'auto'], ['lang', LANGUAGE], ['className', ...CLASSES]],
    a: ['href', 'name', 'rel', 'download', 'ariaLabel', 'title'],
    abbr: ['title'],
    audio: RECORDING,
    blockquote: [CITE],
    col: [['span', /^\d{1,2}$/]],
    colgroup: [['span', /^\d{1,2}$/]],
    del: [CITE],
    details: ['open'],
    div: [['tabIndex', 0], ['role', 'group'], 'ariaLabel'],
    dfn: ['title'],
    figure: ['dataEmbed', ['className', /^b-embed-[a-z]+$/, ...CLASSES]],
    h1: [RANK],
    h2: [RANK],
    h3: [RANK, 'ariaLevel'],
    h4: [RANK, 'ariaLevel'],
    h5: ['ariaLevel'],
    h6: ['ariaLevel'],
    img: ['src', 'srcSet', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    ins: [CITE],
    li: [['value', WHOLE]],
    math: [['display', 'block', 'inline'], 'alttext', ['tabIndex', 0]],
    ol: [['start', WHOLE], 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    pre: [
      ['dataLanguage', /^[\w+#.-]{1,20}$/],
      ['tabIndex', 0],
    ],
    q: [CITE],
    source: ['src', 'type'],
    span: [['role', 'img'], 'ariaLabel'],
    td: SPANS,
    th: [...SPANS, ['scope', 'col', 'row', 'colgroup', 'rowgroup'], 'abbr'],
    time: [['dateTime', /^[\dTZ:.+-]{1,40}$/]],
    track: [
      ...['src', 'label'],
      ['kind', 'subtitles', 'captions', 'descriptions', 'chapters', 'metadata'],
      ['srcLang', LANGUAGE],
    ],
    video: [...RECORDING, 'poster', 'width', 'height', 'playsInline'],
  },
  ancestors: {
    ...Object.fromEntries(MATH_ELEMENTS.map((name) => [name, ['math']])),
    source: ['audio', 'video'],
    track: ['audio', 'video'],
  },
  required: {},
  protocols: { href: LINK_SCHEMES, src: ['http', 'https'], poster: ['http', 'https'] },
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};
