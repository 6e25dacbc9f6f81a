import { useSite } from '#client/layout/site-context.tsx';
import { site } from '#shared/site.ts';
import { imageUrl } from '#shared/urls.ts';

/** Metadata of a page. */
interface PageHeadProps {
  /** Without the site's name. */
  title: string;
  description: string;
  /** Canonical path and query; absent: no canonical URL (error pages). */
  path?: string;
  image?: string | null;
  type?: 'website' | 'article';
  publishedAt?: string | null;
  author?: string | null;
  keywords?: readonly string[];
  noIndex?: boolean;
  /** Path of the page's feed. */
  feed?: string;
  /** Path of the page's Markdown alternate. */
  markdown?: string;
}

/** Renders title, description, canonical URL, Open Graph and Twitter tags. React hoists them into the head. */
export function PageHead(props: PageHeadProps) {
  const { origin } = useSite();
  const title = props.title === site.name ? `${site.name}: ${site.tagline}` : `${props.title} | ${site.name}`;
  const isOwnImage = props.image?.[0] === '/';
  const image =
    props.image &&
    new URL(isOwnImage ? `${props.image}?crop=1200x630` : imageUrl(props.image, 1200), origin).href;
  const canonical = props.path && new URL(props.path, origin).href;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={props.description} />
      <meta name="robots" content={props.noIndex ? 'noindex' : 'index, follow, max-image-preview:large'} />
      {props.keywords?.length ? <meta name="keywords" content={props.keywords.join(', ')} /> : null}
      {canonical && <link rel="canonical" href={canonical} />}
      {canonical && <meta property="og:url" content={canonical} />}
      <meta property="og:type" content={props.type ?? 'website'} />
      <meta property="og:title" content={props.title} />
      <meta property="og:description" content={props.description} />
      {image && <meta property="og:image" content={image} />}
      {image && <meta property="og:image:alt" content={props.title} />}
      {props.publishedAt && <meta property="article:published_time" content={props.publishedAt} />}
      {props.feed && (
        <link rel="alternate" type="application/rss+xml" href={props.feed} title={props.title} />
      )}
      {props.markdown && <link rel="alternate" type="text/markdown" href={props.markdown} />}
      {props.author && <meta name="author" content={props.author} />}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      {import.meta.env.SSR && <ConstantTags isOwnImage={isOwnImage} />}
    </>
  );
}

/** What is the same on every page: a browser keeps what came with the document, so that its bundle does without. */
function ConstantTags({ isOwnImage }: { isOwnImage: boolean }) {
  return (
    <>
      <meta property="og:site_name" content={site.name} />
      <meta name="twitter:site" content={site.xHandle} />
      {isOwnImage && <meta property="og:image:width" content="1200" />}
      {isOwnImage && <meta property="og:image:height" content="630" />}
    </>
  );
}
