/** First segments that vulnerability scanners request, and our own in another case. None is a category. */
const FOLDERS =
  /^\/(\.[^/]*|api|assets|sitemaps|wp-(admin|content|includes|json)|cgi-bin|phpmyadmin|pma|vendor|actuator|admin|administrator|solr|console|manager|owa|ecp|boaform|hnap1|geoserver|druid|etc|node_modules|_next|__debug__|server-status)\//i;

/** Feeds of topics and calendars of events, in another case: as pages they would be second spellings. */
const FEEDS = /^\/(topic\/[^/]+\/feed\.(xml|atom|json)|events\/[^/]+\.ics)$/i;

/** Dot segments, which URL parsers remove, plain and as `encodeSegment` escapes them. */
const DOTS = /\/(\.|%252E){1,2}(\/|$)/;

/** Returns whether no page can have the path: one in a folder of files or of other software, that of a feed, or with a dot segment. */
export function isForeignPath(path: string): boolean {
  return FOLDERS.test(path) || FEEDS.test(path) || DOTS.test(path);
}
