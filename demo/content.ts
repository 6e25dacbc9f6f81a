/** A slug and its display name. */
export interface NamedSlug {
  slug: string;
  name: string;
}

/** A post as its file has it, with dates relative to the day on which the demo CMS starts. */
export interface PostEntry {
  category: string;
  slug: string;
  /** Plain text, as are `deck` and `keywords`. */
  title: string;
  subcategories: readonly string[];
  /** Key of its author. */
  author: string;
  daysAgo: number;
  /** `HH:MM`, UTC. */
  at: string;
  deck: string;
  keywords: readonly string[];
  bannerShow: boolean;
  podcast: string | null;
  bodyHtml: string;
  /** Number of figures in the body: `/figures/<slug>-1.jpg` on. */
  figures: number;
}

export interface AuthorEntry {
  key: string;
  name: string;
  description: string;
  photo: boolean;
}

export interface EventEntry {
  slug: string;
  title: string;
  /** Days from the day on which the demo CMS starts; negative for past ones. */
  inDays: number;
  /** Duration in days. */
  days: number;
  location: string;
  link: string | null;
  podcast: string | null;
  bannerShow: boolean;
  descriptionHtml: string;
}

export interface AdvertisementEntry {
  slot: 'Post-1' | 'Home-2' | 'Footer-3';
  key: string;
  advertiser: string;
  headline: string;
  line: string;
  callToAction: string;
  destination: string;
  /** Rotation interval; null: the site's default. */
  seconds: number | null;
}

/** Everything that the demo CMS publishes. */
export interface Content {
  posts: readonly PostEntry[];
  authors: readonly AuthorEntry[];
  events: readonly EventEntry[];
  advertisements: readonly AdvertisementEntry[];
  categories: readonly NamedSlug[];
  subcategories: readonly NamedSlug[];
}
