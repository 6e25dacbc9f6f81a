import { z } from 'zod';
import { isSectionSlug } from '#shared/non-page-path.ts';

/** A text that matches a pattern, and what is expected where one does not. */
const matching = (pattern: RegExp, what: string) =>
  z.string().max(300).regex(pattern, `${what} expected`).describe(what);
const text = (most = 300) => z.string().trim().min(1).max(most);
const url = z.url({ protocol: /^https?$/ }).max(2_000);
const email = z.email().max(300);
const phone = matching(/^\+?[\d ()./-]{3,40}$/, 'a telephone number');
const titledText = z.strictObject({ title: text(), text: text(5_000) });
const link = z.strictObject({ name: text(), href: url });

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const section = z.strictObject({
  slug: matching(
    /^[\p{Ll}\p{N}_-]+$/u,
    'a slug as in addresses, lower-case letters, digits and hyphens',
  ).refine(isSectionSlug, 'a slug that begins no other address, such as events or tag, expected'),
  label: text(60),
  // Neither a brace nor a semicolon: it stands in a style sheet.
  color: matching(/^[#\w][\w\s#%.,()/-]{2,99}$/, 'a CSS colour, or light-dark() of two').optional(),
  menu: text(60)
    .optional()
    .describe('the menu with a column of it; menus stand in the order of the sections'),
  home: z.enum(['feature', 'carousel', 'cards', 'list']).optional().describe('its layout on the home page'),
  description: text().optional().describe('one sentence below the heading of its topic'),
});

const FRAME = 'an https address with {slot} in it';

/** Schema of `site.json`. Its JSON Schema is published as `docs/site.schema.json`. */
export const siteSchema = z
  .strictObject({
    $schema: z.string(),
    name: text(60),
    product: text(60).describe('what “More from …” below an article says; the name when absent'),
    tagline: text(),
    description: text(1_000),
    newsletter: text().describe('the sentence above the newsletter form'),
    letter: z
      .strictObject({ about: text(2_000), sample: titledText.nullable(), address: text(2_000) })
      .describe('on the Subscribe page: what the letter is, a sample, what happens to the address'),
    // Language, script, region, variant: what `Intl` does not know would throw in pages that count.
    language: matching(
      /^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?(-([A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))?$/,
      'a language tag such as en, en-GB or de',
    ),
    direction: z.enum(['ltr', 'rtl']),
    timeZone: z
      .string()
      .refine(isTimeZone, 'an IANA time zone such as Europe/Berlin expected')
      .describe('of dates without a zone, and of the dates that readers see; read at the start alone'),
    publisher: text(),
    foundedYear: z.int().min(1500).max(2200),
    emails: z.strictObject({ media: email, sales: email, privacy: email, security: email }),
    phones: z.strictObject({
      helpline: phone.nullable().default(null),
      ccpa: phone.nullable().default(null),
    }),
    xHandle: matching(/^@\w{1,30}$/, 'a handle such as @example').nullable(),
    social: z.array(link).max(20),
    sisters: z.array(link).max(50),
    offices: z.array(z.strictObject({ country: text(), lines: z.array(text()).max(12) })).max(50),
    mission: z.array(text(5_000)).max(50),
    standards: z.array(titledText).max(20).describe('on the About page: corrections, advertising, ownership'),
    team: z
      .array(
        z.strictObject({
          name: text(),
          role: text(),
          photo: matching(/^\/[\w./-]+$/, 'the path of a picture on this site').optional(),
        }),
      )
      .max(200),
    privacyUpdated: z.iso.date(),
    copyright: text(),
    sections: z
      .array(section)
      .min(1)
      .max(50)
      .refine((all) => new Set(all.map((one) => one.slug)).size === all.length, 'each slug once expected')
      .describe('all of them, in the order of the home page, the menus and the sitemap'),
    forms: z
      .strictObject({
        subscribe: z
          .strictObject({ url })
          .describe('where the newsletter’s provider takes {"email"} by POST'),
        optOut: z.strictObject({ fields: z.enum(['all', 'email']) }),
      })
      .exactPartial(),
    ads: z.strictObject({
      frame: matching(/^https:\/\/[\w.-]+(:\d+)?\/.*\{slot\}/, FRAME).refine((frame) => URL.canParse(frame), {
        error: `${FRAME} expected`,
        when: ({ issues }) => issues.length === 0,
      }),
    }),
    crawlers: z.strictObject({ ai: z.enum(['allow', 'refuse']) }),
  })
  .exactPartial();

/** Neither `unsafe-inline` nor `unsafe-eval`: injected scripts would run. */
const source = matching(
  /^((https|wss):\/\/(\*\.)?[\w.-]+(:\d{1,5}|:\*)?(\/[\w./~%-]*)?|data:|blob:|'sha256-[\w+/]{43}=')$/,
  'an https:// or wss:// source, data:, blob: or a sha256 hash',
);
const policy = matching(/^[\w#=/@.%-]{1,100}$|^'allow-duplicates'$/, 'the name of a Trusted Types policy');
const sources = z.array(source).max(100);

/** Schema of `csp.json`: the directives of the Content-Security-Policy that it may add to. */
export const cspSchema = z
  .strictObject({
    'script-src': sources,
    'style-src': sources,
    'img-src': sources,
    'font-src': sources,
    'connect-src': sources,
    'frame-src': sources,
    'media-src': sources,
    'worker-src': sources,
    'form-action': sources,
    'trusted-types': z.array(policy).max(50),
  })
  .exactPartial();

/** Sources that `csp.json` adds, by directive. */
export type CspAdditions = z.infer<typeof cspSchema>;

/** Notes what is wrong. `file`: its path in the folder, with a line where it has lines. `expected`: what should stand there. */
export type AddMistake = (file: string, expected: string) => void;

/** Notes what a schema does not allow, key by key. `fileOf`: the file of a key, with its line where that is known. */
export function addIssues(
  { issues }: z.ZodError,
  fileOf: (key: PropertyKey | undefined) => string,
  addMistake: AddMistake,
): void {
  for (const issue of issues) {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys')
      addMistake(fileOf(path[0]), `${path.join('.') || 'the whole'}: ${message}`);
    else
      for (const key of issue.keys)
        addMistake(fileOf(path[0] ?? key), `${[...path, key].join('.')}: no such key is known`);
  }
}
