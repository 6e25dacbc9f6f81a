import type { Element, Root } from 'hast';
import { editChildren } from './elements.ts';

/** Prefix of the ids of targets, so that none is an id of the page, of a heading, or a property of `document`. */
const PREFIX = 't-';
/** White space and control characters do not survive every parse. */
const SAFE_ID = /^[^\s\p{Cc}\uFFFD]{1,100}$/u;

function fragmentOf({ tagName, properties: { href } }: Element): string | null {
  if (tagName !== 'a' || typeof href !== 'string' || !href.startsWith('#')) return null;
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return null;
  }
}

/** Points in-page links to the new ids of their targets. */
export function redirectFragments(root: Root, renamed: ReadonlyMap<string, string>): void {
  editChildren(root, (link) => {
    const id = renamed.get(fragmentOf(link) ?? '');
    if (id !== undefined) link.properties.href = `#${encodeURIComponent(id)}`;
    return undefined;
  });
}

function fragmentsIn(root: Root): ReadonlySet<string> {
  const fragments = new Set<string>();
  editChildren(root, (link) => {
    const fragment = fragmentOf(link);
    if (fragment !== null) fragments.add(fragment);
    return undefined;
  });
  return fragments;
}

/**
 * Keeps the ids that in-page links lead to, such as those of footnotes, prefixed and each once; removes all others, and
 * anchors that are neither a link nor a target. Headings keep theirs for `markHeadings`.
 */
export function keepTargets(root: Root): void {
  const fragments = fragmentsIn(root);
  const renamed = new Map<string, string>();
  const used = new Set<string>();

  function newIdOf(id: unknown): string | null {
    if (typeof id !== 'string' || !SAFE_ID.test(id) || !fragments.has(id)) return null;
    const prefixed = id.startsWith(PREFIX) ? id : PREFIX + id;
    if (used.has(prefixed)) return null;
    used.add(prefixed);
    renamed.set(id, prefixed);
    return prefixed;
  }

  editChildren(root, ({ tagName, properties, children }) => {
    if (/^h[1-4]$/.test(tagName)) return undefined;
    const id = newIdOf(properties.id);
    delete properties.id;
    if (id !== null) properties.id = id;
    return tagName === 'a' && Object.keys(properties).length === 0 ? children : undefined;
  });
  redirectFragments(root, renamed);
}
