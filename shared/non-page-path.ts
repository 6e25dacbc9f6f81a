/** First segments that vulnerability scanners request, and our own in another case. None is a category. */
const FOLDERS =
  /^\/(\.[^/]*|api|assets|sitemaps|wp-(admin|content|includes|json)|cgi-bin|phpmyadmin|pma|vendor|actuator|admin|administrator|solr|console|manager|owa|ecp|boaform|hnap1|geoserver|druid|etc|node_modules|_next|__debug__|server-status)\//i;

/**
 * Extensions of files that are requested of any site: sources, pictures, archives, programs, secrets. Excludes those that
 * are also names and so may end a slug (`angular.js`, `asp.net`, `ads.txt`, `open.ai`, `web-2.0`).
 */
const FILES = new RegExp(
  `\\.(${[
    'map|mjs|cjs|jsx|tsx|s[ac]ss|less|wasm|json5|webmanifest',
    'png|jpe?g|gif|webp|avif|svgz?|ico|bmp|tiff?|heic|psd|swf',
    'mp[34]|m4[abv]|aac|aiff?|webm|og[gv]|wav|mov|avi|mkv|flac|m3u8',
    'woff2?|ttf|otf|eot|pdf|doc[mx]?|xls[bmx]?|pp[st][mx]?|od[gpst]|rtf|csv|tsv|epub|mobi',
    'wsdl|xsl|rss|atom|ics|vcf|xhtml|shtml',
    'php\\d?|phtml|aspx?|ashx|asmx|jspx?|cgi|cfm|pl|py|rb|sh|bash|bat|cmd|ps1|exe|dll|jar|war|class|apk|iso|dmg|bin',
    'env|sql|sqlite3?|mdb|bak|old|orig|swp|tmp|zip|rar|t?gz|bz2|xz|tar|7z',
    'ini|conf|cfg|config|ya?ml|toml|lock|log|git|svn|htaccess|htpasswd|pem|key|crt|cer|p12|pfx',
  ].join('|')})$`,
  'i',
);

/** First segments of other addresses than an article's, where two segments are one; in any case, since they redirect there. */
const ROUTES = /^(api|assets|author|events|sitemaps|tag|topic)$/i;

/** Returns whether a slug can be a section's: it begins the addresses of its articles. */
export function isSectionSlug(slug: string): boolean {
  return !ROUTES.test(slug) && !isNonPagePath(`/${slug}/x`);
}

/** Feeds of topics and calendars of events, in another case: as pages they would be second spellings. */
const FEEDS = /^\/(topic\/[^/]+\/feed\.(xml|atom|json)|events\/[^/]+\.ics)$/i;

/** Dot segments, which URL parsers remove, plain and as `encodeSegment` escapes them. */
const DOTS = /\/(\.|%252E){1,2}(\/|$)/;

/** Returns whether no page can have the path: a file, a feed, one in a folder of other software, or with a dot segment. */
export function isNonPagePath(path: string): boolean {
  return FILES.test(path) || FOLDERS.test(path) || FEEDS.test(path) || DOTS.test(path);
}

/** Returns whether an article can have the path: not where it is another page's, or no page can have it. */
export function isArticlePath(category: string, slug: string): boolean {
  return isSectionSlug(category) && !isNonPagePath(`/${category}/${slug}`);
}

/** Returns whether a path is that of a file which a CMS keeps, by its extension or its folder. */
export function isFilePath(path: string): boolean {
  return (
    (FILES.test(path) && !FEEDS.test(path)) ||
    /^\/(?:wp-content|content\/(?:files|media|images))\//i.test(path)
  );
}
