/** Names of the eight sections by category slug. Their tints are in `post-card.css` and `styles/tokens.css`. */
const SECTION_NAMES: ReadonlyMap<string, string> = new Map([
  ['news', 'News'],
  ['quickbytes', 'Quick Bytes'],
  ['podcasts', 'Podcast'],
  ['interview', 'Hot Seat'],
  ['future-ready', 'Future Ready'],
  ['guest-author', 'Guest Author'],
  ['featured', 'Article'],
  ['learning-center', 'Learning Center'],
]);

/** Returns the name of a category's section, or its slug as words. */
export function sectionName(category: string): string {
  return SECTION_NAMES.get(category) ?? category.replaceAll('-', ' ');
}
