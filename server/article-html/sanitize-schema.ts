import type { Options } from 'rehype-sanitize';
import { DROPPED_ELEMENTS } from '#server/html/text-content.ts';

/** Containers whose role belongs to the page: they become plain blocks. */
export const RENAMED_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['address', 'div'],
  ['article', 'div'],
  ['aside', 'div'],
  ['center', 'div'],
  ['dir', 'ul'],
  ['fieldset', 'div'],
  ['footer', 'div'],
  ['form', 'div'],
  ['header', 'div'],
  ['hgroup', 'div'],
  ['listing', 'pre'],
  ['main', 'div'],
  ['menu', 'ul'],
  ['nav', 'div'],
  ['section', 'div'],
  ['strike', 's'],
  ['tt', 'code'],
]);

/** Elements that an article's body may have. Any other element is replaced by its content. */
export const ALLOWED_ELEMENTS = [
  ...[
    'p',
    'div',
    'br',
    'hr',
    'wbr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'blockquote',
    'pre',
    'figure',
    'figcaption',
  ],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary', 'a', 'img', 'iframe'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...[
    'abbr',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'small',
    'mark',
    'q',
    'cite',
    'dfn',
    'time',
  ],
  ...['code', 'kbd', 'samp', 'var', 'bdi', 'bdo', 'ruby', 'rt', 'rp'],
];

const HEADING_ATTRIBUTES = [['dataRank', '1'] as [string, string]];

/**
 * Allow-list for rehype-sanitize. Ids, image and frame URLs pass only as input of the following steps, which replace every
 * one of them.
 */
export const SANITIZE_SCHEMA: Options = {
  tagNames: ALLOWED_ELEMENTS,
  strip: DROPPED_ELEMENTS,
  attributes: {
    '*': ['id', ['dir', 'ltr', 'rtl', 'auto']],
    a: ['href', 'name'],
    img: ['src', 'srcSet', 'alt', 'width', 'height'],
    iframe: ['src'],
    div: [['className', 'table-scroll']],
    h1: HEADING_ATTRIBUTES,
    h2: HEADING_ATTRIBUTES,
    h3: HEADING_ATTRIBUTES,
    h4: HEADING_ATTRIBUTES,
    ol: [['start', /^-?\d{1,5}$/], 'reversed'],
    td: [
      ['colSpan', /^\d{1,2}$/],
      ['rowSpan', /^\d{1,2}$/],
    ],
    th: [
      ['colSpan', /^\d{1,2}$/],
      ['rowSpan', /^\d{1,2}$/],
      ['scope', 'col', 'row', 'colgroup', 'rowgroup'],
    ],
    col: [['span', /^\d{1,2}$/]],
    colgroup: [['span', /^\d{1,2}$/]],
    time: [['dateTime', /^[\dTZ:.+-]{1,40}$/]],
    details: ['open'],
  },
  ancestors: {},
  required: {},
  protocols: {},
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};
