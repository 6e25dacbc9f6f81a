/** The eight sections by category slug: how their kickers read. Their tints stand in `styles/tokens.css`. */
const SECTION_NAMES: Readonly<Record<string, string>> = {
  news: 'News',
  quickbytes: 'Quick Bytes',
  podcasts: 'Podcast',
  interview: 'Hot Seat',
  'future-ready': 'Future Ready',
  'guest-author': 'Guest Author',
  featured: 'Article',
  'learning-center': 'Learning Center',
};

/** The kicker of a post: its section's name, or its category's slug as words. */
export function sectionName(category: string): string {
  return SECTION_NAMES[category] ?? category.replaceAll('-', ' ');
}
