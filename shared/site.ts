/**
 * The publication's identity. A publisher rebrands by editing this file alone.
 * Addresses use `example.com` domains, phone lines the ranges reserved for fiction.
 */

/** A link to a social profile or a sister publication. */
interface NamedLink {
  name: string;
  href: string;
}

/** One of the publisher's offices. */
interface Office {
  country: string;
  /** Lines of the postal address. */
  lines: string[];
}

/** A member of the team, for the About page. */
interface TeamMember {
  name: string;
  role: string;
}

/** The publication's identity. */
interface Site {
  name: string;
  /** What the specification calls `{product}`. */
  product: string;
  /**
   * ASCII letters, digits and hyphens. `redisPrefix` starts every key in Redis: after a change, cached values, rate limits
   * and the outbox in Redis are no longer found.
   */
  identifiers: { userAgent: string; redisPrefix: string };
  tagline: string;
  description: string;
  language: string;
  publisher: string;
  foundedYear: number;
  emails: { media: string; sales: string; privacy: string; security: string };
  phones: { helpline: string; ccpa: string };
  /** Handle for Twitter cards. */
  xHandle: string;
  social: (NamedLink & { network: 'facebook' | 'instagram' | 'x' | 'linkedin' | 'youtube' })[];
  sisters: NamedLink[];
  offices: Office[];
  mission: string[];
  team: TeamMember[];
  /** ISO date of the privacy policy in force. */
  privacyUpdated: string;
  copyright: string;
}

export const site: Site = {
  name: 'Martech Meridian',
  product: 'Martech Meridian',
  identifiers: { userAgent: 'MartechMeridian', redisPrefix: 'meridian' },
  tagline: 'Where marketing meets its machinery',
  description:
    'News, interviews and analysis for the executives who buy, build and answer for marketing technology.',
  language: 'en',
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
    { network: 'facebook', name: 'Facebook', href: 'https://facebook.example.com/martechmeridian' },
    { network: 'instagram', name: 'Instagram', href: 'https://instagram.example.com/martechmeridian' },
    { network: 'x', name: 'X', href: 'https://x.example.com/martechmeridian' },
    { network: 'linkedin', name: 'LinkedIn', href: 'https://linkedin.example.com/company/martechmeridian' },
    { network: 'youtube', name: 'YouTube', href: 'https://youtube.example.com/@martechmeridian' },
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
  team: [
    { name: 'Ines Halloran', role: 'Editor-in-Chief' },
    { name: 'Tobias Renneke', role: 'Technology Editor' },
    { name: 'Lena Sorvik', role: 'Privacy and Regulation Editor' },
    { name: 'Marcus Adeyemi', role: 'Head of Audience' },
    { name: 'Odile Castellan', role: 'Publisher' },
  ],
  privacyUpdated: '2026-09-01',
  copyright: 'Meridian Business Press. All rights reserved.',
};
