/**
 * The publication's identity and settings. A publisher replaces them in `site.json` of the site folder (`SITE_DIR`).
 * Addresses use `example.com` domains, phone lines the ranges reserved for fiction.
 */

/** A link to a social profile, a sister publication, or a page of the site. */
export interface NamedLink {
  name: string;
  href: string;
}

/** A paragraph with its heading. */
export interface TitledText {
  title: string;
  text: string;
}

/** What the Subscribe page says of the newsletter. */
export interface NewsletterTexts {
  about: string;
  sample: TitledText | null;
  /** What happens to the address. */
  address: string;
}

/** A section: the posts of one category. */
export interface Section {
  /** Category slug. */
  slug: string;
  /** Its name, wherever `titles` has no other. */
  label: string;
  /** A CSS colour for the label and rules. Default: that of `tokens.css`, or the accent. */
  color?: string | undefined;
  /** Name of the menu with a column of it. Menus stand in the order in which sections name them. */
  menu?: string | undefined;
  /** How its posts are laid out on the home page (`feature`: the first large on a dark band); absent: not there. */
  home?: 'feature' | 'carousel' | 'cards' | 'list' | undefined;
  /**
   * Names that the specification gives it in menus and on tag pages; null: left out of the sitemap. `topic`: the one of a
   * publisher's own section on its topic, which the specification names by the slug.
   */
  titles?: { menu?: string; tag?: string; topic?: string; sitemap?: null };
  /** One sentence below the heading of its topic. */
  description?: string | undefined;
}

/** A page of the publisher's own, from `pages/` of the site folder. */
export interface OwnPageLink {
  /** Its path without the slash. */
  name: string;
  title: string;
  /** Column of the footer that links to it. */
  footer?: 'about' | 'policies';
  inSitemap: boolean;
}

/** The publication's identity and settings. */
export interface SiteSettings {
  name: string;
  /** What the specification calls `{product}`. */
  product: string;
  tagline: string;
  description: string;
  /** The sentence above the newsletter form. */
  newsletter: string;
  /** For the Subscribe page; null: the texts of the page itself. */
  letter: NewsletterTexts | null;
  /** BCP 47 tag of the language of the content, and of the interface where `shared/texts` has it. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** IANA name. Rules how dates without a zone are read, and how dates are shown. */
  timeZone: string;
  publisher: string;
  foundedYear: number;
  emails: { media: string; sales: string; privacy: string; security: string };
  phones: { helpline: string | null; ccpa: string | null };
  /** Handle for Twitter cards. */
  xHandle: string | null;
  social: readonly NamedLink[];
  sisters: readonly NamedLink[];
  /** `lines`: of the postal address. */
  offices: readonly { country: string; lines: string[] }[];
  mission: readonly string[];
  /** For the About page: corrections, advertising, ownership; null: the texts of the page itself. */
  standards: readonly TitledText[] | null;
  /** For the About page. `photo`: path of a square portrait. */
  team: readonly { name: string; role: string; photo?: string | undefined }[];
  /** ISO date of the privacy policy in force. */
  privacyUpdated: string;
  copyright: string;
  /** In the order in which the home page, the menus and the sitemap show them. */
  sections: readonly Section[];
  /** `email`: the opt-out form asks for the address alone. */
  forms: { optOut: { fields: 'all' | 'email' } };
  /** `frame`: address of a page that is shown where the upstream has no advertisement for a slot, with `{slot}` in it. */
  ads: { frame: string | null };
  /** `refuse`: `robots.txt` disallows everything to crawlers of AI companies. */
  crawlers: { ai: 'allow' | 'refuse' };

  // From other files of the site folder, and from `shared/texts`.
  /** Texts of the interface by their English; null: English. */
  texts: Readonly<Record<string, string>> | null;
  /** Address of the logo; null: the default one. */
  logo: string | null;
  /** Path of the picture for shared links to pages without one. */
  shareImage: string | null;
  /** Path of the publisher's script. */
  tags: string | null;
  pages: readonly OwnPageLink[];
  /** No page is for search engines (`SITE_NOINDEX`). */
  noIndex: boolean;
}

/** Returns the section with the posts of a category; undefined where the site has none. */
export function sectionOf(sections: readonly Section[], category: string): Section | undefined {
  return sections.find(({ slug }) => slug === category);
}

/** Returns the label of a post's section; of another category the upstream's name, or its slug as words. */
export function sectionName(
  { sections }: SiteSettings,
  { category, categoryName }: { category: string; categoryName?: string | undefined },
): string {
  return sectionOf(sections, category)?.label ?? categoryName ?? category.replaceAll('-', ' ');
}

/** The default settings: without a site folder, and for whatever is absent in it. */
export const defaultSite: SiteSettings = {
  name: 'Martech Meridian',
  product: 'Martech Meridian',
  tagline: 'Where marketing meets its machinery',
  description:
    'News, interviews and analysis for the executives who buy, build and answer for marketing technology.',
  newsletter: 'One letter, every Friday: what changed in marketing technology, and what it will cost.',
  letter: null,
  language: 'en',
  direction: 'ltr',
  timeZone: 'UTC',
  publisher: 'Meridian Business Press',
  foundedYear: 2014,
  emails: {
    media: 'media@martechmeridian.example.com',
    sales: 'sales@martechmeridian.example.com',
    privacy: 'privacy@martechmeridian.example.com',
    security: 'security@martechmeridian.example.com',
  },
  phones: { helpline: '+1 202-555-0142', ccpa: '+1 202-555-0187' },
  xHandle: '@martechmeridian',
  social: [
    { name: 'Facebook', href: 'https://facebook.example.com/martechmeridian' },
    { name: 'Instagram', href: 'https://instagram.example.com/martechmeridian' },
    { name: 'X', href: 'https://x.example.com/martechmeridian' },
    { name: 'LinkedIn', href: 'https://linkedin.example.com/company/martechmeridian' },
    { name: 'YouTube', href: 'https://youtube.example.com/@martechmeridian' },
  ],
  sisters: [
    { name: 'Fintech Parallel', href: 'https://fintech-parallel.example.com/' },
    { name: 'HR Tropic', href: 'https://hr-tropic.example.com/' },
    { name: 'Supply Latitude', href: 'https://supply-latitude.example.com/' },
    { name: 'Cyber Azimuth', href: 'https://cyber-azimuth.example.com/' },
    { name: 'Health Equinox', href: 'https://health-equinox.example.com/' },
  ],
  offices: [
    {
      country: 'United Kingdom',
      lines: ['Meridian Business Press', '14 Graticule Row', 'London SE10 0XX', 'United Kingdom'],
    },
    {
      country: 'India',
      lines: ['Meridian Business Press', '7th Floor, Akshansh Tower', 'Baner Road, Pune 411 000', 'India'],
    },
    {
      country: 'Philippines',
      lines: [
        'Meridian Business Press',
        'Unit 2203, Tanglaw Centre',
        'Ayala Avenue, Makati 1200',
        'Philippines',
      ],
    },
    {
      country: 'United States',
      lines: [
        'Meridian Business Press',
        '310 Longitude Street, Suite 900',
        'Boston, MA 02100',
        'United States',
      ],
    },
    {
      country: 'Singapore',
      lines: ['Meridian Business Press', '60 Sextant Quay, #11-04', 'Singapore 049000', 'Singapore'],
    },
    {
      country: 'Costa Rica',
      lines: ['Meridian Business Press', 'Edificio Cenit, Piso 3', 'Escazú, San José 10200', 'Costa Rica'],
    },
  ],
  mission: [
    'Marketing now runs on more software than most companies’ finance departments, and far fewer people are paid to question it. Martech Meridian exists for the executives who have to: those who sign for the platforms, stitch them together and answer for what they do with customers’ data.',
    'We report what changed, ask the people who changed it why, and explain what it will cost. We do not take payment for coverage, we label every advertisement, and we correct our mistakes where we made them.',
    'A meridian is the line from which everything else is measured. In a trade that renames itself every spring, we try to be that: a fixed point, finely drawn.',
  ],
  standards: null,
  team: [
    { name: 'Ines Halloran', role: 'Editor-in-Chief', photo: '/team-ines-halloran.svg' },
    { name: 'Tobias Renneke', role: 'Technology Editor', photo: '/team-tobias-renneke.svg' },
    { name: 'Lena Sorvik', role: 'Privacy and Regulation Editor', photo: '/team-lena-sorvik.svg' },
    { name: 'Marcus Adeyemi', role: 'Head of Audience', photo: '/team-marcus-adeyemi.svg' },
    { name: 'Odile Castellan', role: 'Publisher' },
  ],
  privacyUpdated: '2026-09-01',
  copyright: 'Meridian Business Press. All rights reserved.',
  // Order and labels: specification, section 2. The tag page has an order of its own.
  sections: [
    {
      slug: 'news',
      label: 'News',
      menu: 'Latest',
      description: 'What happened, and whom it concerns.',
    },
    {
      slug: 'podcasts',
      label: 'Podcasts',
      menu: 'Leadership',
      home: 'feature',
      titles: { tag: 'Podcast' },
      description: 'Half an hour with people who have run the thing.',
    },
    {
      slug: 'interview',
      label: 'Hot Seats',
      menu: 'Leadership',
      titles: { menu: 'Featured Interview' },
      description: 'One executive, and the questions that vendors skip.',
    },
    {
      slug: 'guest-author',
      label: 'Guest Author',
      menu: 'Leadership',
      home: 'carousel',
      titles: { menu: 'Guest Posts' },
      description: 'Practitioners, in their own words.',
    },
    {
      slug: 'quickbytes',
      label: 'Quick Bytes',
      menu: 'Latest',
      home: 'cards',
      titles: { sitemap: null },
      description: 'What changed this week, in a minute each.',
    },
    {
      slug: 'featured',
      label: 'Articles',
      menu: 'Features',
      home: 'list',
      description: 'Long reads on what software costs, and why.',
    },
    {
      slug: 'future-ready',
      label: 'Future Ready',
      description: 'What is still being tried.',
    },
    {
      slug: 'learning-center',
      label: 'Learning Center',
      menu: 'Features',
      description: 'Terms and methods, from the beginning.',
    },
  ],
  forms: { optOut: { fields: 'all' } },
  ads: { frame: null },
  crawlers: { ai: 'allow' },
  texts: null,
  logo: null,
  shareImage: '/share.png',
  tags: null,
  pages: [],
  noIndex: false,
};
