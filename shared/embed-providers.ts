import * as en from './texts/en.ts';

/** A player or post of another site, made of nothing but its checked id. */
export interface Embed {
  provider: string;
  /** What it shows, as its button and link call it. */
  kind: string;
  id: string;
  /** URL of the page that a reader can open. */
  page: string;
  /** URL of the frame. */
  player: string;
}

interface Provider {
  name: string;
  /**
   * Matches host (without `www.` and `m.`), path and query of an address. The groups, joined by `/`, are the id: each allows
   * characters that need no escaping in a URL and nothing else.
   */
  known: RegExp;
  /** Page and player without `https://`; `{}` is the id, `{1}` and `{2}` are its parts. Page is an address that `known` matches. */
  page: string;
  /** Absent: the page. */
  player?: string;
}

/**
 * Embed providers by what they show: the sanitiser recognises them, the client makes their frames, and the CSP allows the hosts
 * of those.
 */
const PROVIDERS_BY_KIND: Readonly<Record<string, readonly Provider[]>> = {
  [en.kindOfVideo]: [
    {
      name: 'YouTube',
      known:
        /^youtube(?:-nocookie)?\.com\/(?:embed(?:\/videoseries|\/)?|playlist)\?(?:[^#]*&)?list=([\w-]{10,64})(?![\w-])/,
      page: 'www.youtube.com/playlist?list={}',
      player: 'www.youtube-nocookie.com/embed/videoseries?list={}',
    },
    {
      name: 'YouTube',
      // What a channel sends at the moment.
      known:
        /^youtube(?:-nocookie)?\.com\/(?:embed\/live_stream\?(?:[^#]*&)?channel=|channel\/(?=[\w-]{24}\/live))(UC[\w-]{22})(?![\w-])/,
      page: 'www.youtube.com/channel/{}/live',
      player: 'www.youtube-nocookie.com/embed/live_stream?channel={}',
    },
    {
      name: 'YouTube',
      known:
        /^(?:(?:music\.)?youtube(?:-nocookie)?\.com\/(?:(?:embed|shorts|live|v)\/|watch\?(?:[^#]*&)?v=)|youtu\.be\/)([\w-]{11})[?&](?:[^#]*&)?(?:start|t)=([1-9]\d{0,5})s?(?=&|$)/,
      page: 'www.youtube.com/watch?v={1}&t={2}',
      player: 'www.youtube-nocookie.com/embed/{1}?start={2}',
    },
    {
      name: 'YouTube',
      known:
        /^(?:(?:music\.)?youtube(?:-nocookie)?\.com\/(?:(?:embed|shorts|live|v)\/|watch\?(?:[^#]*&)?v=)|youtu\.be\/)([\w-]{11})(?![\w%-])/,
      page: 'www.youtube.com/watch?v={}',
      player: 'www.youtube-nocookie.com/embed/{}',
    },
    {
      name: 'Vimeo',
      // Unlisted: its key is in the address.
      known:
        /^(?:player\.vimeo\.com\/video|vimeo\.com)\/(\d{1,15})(?:\/|\?(?:[^#]*&)?h=)([\da-f]{6,20})(?![\w-])/,
      page: 'vimeo.com/{}',
      player: 'player.vimeo.com/video/{1}?h={2}',
    },
    {
      name: 'Vimeo',
      known:
        /^(?:player\.vimeo\.com\/video|vimeo\.com(?:\/channels\/[\w-]+|\/groups\/[\w-]+\/videos)?)\/(\d{1,15})(?![\w-])/,
      page: 'vimeo.com/{}',
      player: 'player.vimeo.com/video/{}',
    },
    {
      name: 'Wistia',
      known:
        /^(?:fast\.wistia\.(?:net|com)\/embed\/(?:iframe|medias)|[\w-]+\.wistia\.com\/medias)\/([a-z\d]{10})(?![\w-])/,
      page: 'fast.wistia.net/embed/iframe/{}',
    },
    {
      name: 'Loom',
      known: /^loom\.com\/(?:share|embed)\/([\da-f]{32})(?![\w-])/,
      page: 'www.loom.com/share/{}',
      player: 'www.loom.com/embed/{}',
    },
    {
      name: 'TED',
      known: /^(?:embed\.)?ted\.com\/talks\/(?:lang\/[\w-]+\/)?(\w{1,150})(?![\w-])/,
      page: 'www.ted.com/talks/{}',
      player: 'embed.ted.com/talks/{}',
    },
    {
      name: 'Dailymotion',
      known:
        /^(?:(?:geo\.)?dailymotion\.com\/(?:(?:embed\/)?video\/|player(?:\/\w{1,20})?\.html\?(?:[^#]*&)?video=)|dai\.ly\/)([A-Za-z\d]{5,24})(?![A-Za-z\d%-])/,
      page: 'www.dailymotion.com/video/{}',
      player: 'geo.dailymotion.com/player.html?video={}',
    },
    {
      name: 'VideoPress',
      known: /^(?:videopress\.com|video\.wordpress\.com)\/(?:v|embed)\/([A-Za-z\d]{8})(?![\w%-])/,
      page: 'videopress.com/v/{}',
      player: 'videopress.com/embed/{}',
    },
  ],
  [en.kindOfEpisode]: [
    {
      name: 'Spotify',
      known:
        /^open\.spotify\.com\/(?:embed(?:-podcast)?\/|intl-[a-z]+\/)?(episode|show|track|album|playlist|artist)\/([A-Za-z\d]{22})(?!\w)/,
      page: 'open.spotify.com/{}',
      player: 'open.spotify.com/embed/{}',
    },
    {
      name: 'Apple Podcasts',
      known:
        /^(?:embed\.)?podcasts\.apple\.com\/((?:[a-z]{2}\/)?podcast\/(?:[\w%~.-]{1,300}\/)?id\d{1,15}(?:\?i=\d{1,16})?)(?!\d)/,
      page: 'podcasts.apple.com/{}',
      player: 'embed.podcasts.apple.com/{}',
    },
    {
      name: 'SoundCloud',
      known:
        /^api\.soundcloud\.com\/(tracks|playlists)\/(?:soundcloud%3A(?:tracks|playlists)%3A)?(\d{1,15})(?!\w)/,
      page: 'w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/{}',
    },
    {
      name: 'SoundCloud',
      known: /^soundcloud\.com\/([\w-]{1,100}\/(?:sets\/)?[\w-]{1,200})(?![\w/-])/,
      page: 'soundcloud.com/{}',
      player: 'w.soundcloud.com/player/?url=https%3A//soundcloud.com/{}',
    },
    {
      name: 'Libsyn',
      known: /^(?:html5-player|play)\.libsyn\.com\/embed\/episode\/id\/(\d{1,15})(?!\w)/,
      page: 'play.libsyn.com/embed/episode/id/{}',
    },
    {
      name: 'Buzzsprout',
      known: /^buzzsprout\.com\/(\d{1,12})\/(?:episodes\/)?(\d{1,15})(?!\w)/,
      page: 'www.buzzsprout.com/{1}/episodes/{2}',
      player: 'www.buzzsprout.com/{}?iframe=true',
    },
    {
      name: 'Simplecast',
      known: /^player\.simplecast\.com\/([\da-f-]{36})(?![\w-])/,
      page: 'player.simplecast.com/{}',
    },
    {
      name: 'Transistor',
      known: /^share\.transistor\.fm\/[se]\/([\w-]{1,64})(?![\w/-])/,
      page: 'share.transistor.fm/s/{}',
      player: 'share.transistor.fm/e/{}',
    },
    {
      name: 'Acast',
      known:
        /^(?:embed\.acast\.com\/(?:\$\/)?|shows\.acast\.com\/)([\w-]{1,100})\/(?:episodes\/)?([\w-]{1,200})(?![\w/-])/,
      page: 'shows.acast.com/{1}/episodes/{2}',
      player: 'embed.acast.com/{}',
    },
  ],
  [en.kindOfChart]: [
    {
      name: 'Datawrapper',
      known: /^datawrapper\.dwcdn\.net\/([A-Za-z\d]{5})(?!\w)/,
      page: 'datawrapper.dwcdn.net/{}/',
    },
    {
      name: 'Flourish',
      known: /^(?:flo\.uri\.sh|public\.flourish\.studio)\/(visualisation|story)\/(\d{1,12})(?!\w)/,
      page: 'public.flourish.studio/{}/',
      player: 'flo.uri.sh/{}/embed',
    },
    {
      name: 'Infogram',
      known: /^(?:e\.)?infogram\.com\/([\w-]{20,200})(?![\w/-])/,
      page: 'infogram.com/{}',
      player: 'e.infogram.com/{}?src=embed',
    },
  ],
  [en.kindOfSlides]: [
    {
      name: 'SlideShare',
      known: /^slideshare\.net\/slideshow\/embed_code\/(key\/\w{1,64}|\d{1,15})(?!\w)/,
      page: 'www.slideshare.net/slideshow/embed_code/{}',
    },
  ],
  [en.kindOfMap]: [
    {
      name: 'Google Maps',
      known: /^google\.com\/maps\/embed\?pb=[^&#]*?!2d(-?\d{1,3}\.\d{1,20})!3d(-?\d{1,2}\.\d{1,20})/,
      page: 'www.google.com/maps?q={2},{1}',
      player: 'www.google.com/maps?q={2},{1}&output=embed',
    },
    {
      name: 'Google Maps',
      known:
        /^(?:maps\.)?google\.com\/maps(?:\/embed\/v1\/place)?\/?\?(?:[^#]*&)?q=([\p{L}\w%+.,~-]{1,300})(?=&|$)/u,
      page: 'www.google.com/maps?q={}',
      player: 'www.google.com/maps?q={}&output=embed',
    },
    {
      name: 'Google Maps',
      known:
        /^google\.com\/maps\/d\/(?:u\/\d\/)?(?:embed|viewer|edit)\?(?:[^#]*&)?mid=([\w-]{10,64})(?![\w%-])/,
      page: 'www.google.com/maps/d/viewer?mid={}',
      player: 'www.google.com/maps/d/embed?mid={}',
    },
  ],
  [en.kindOfCode]: [
    {
      name: 'CodePen',
      known: /^codepen\.io\/([\w-]{1,64})\/(?:pen|embed|details|full)\/(?:preview\/)?(\w{1,64})(?!\w)/,
      page: 'codepen.io/{1}/pen/{2}',
      player: 'codepen.io/{1}/embed/{2}',
    },
  ],
  [en.kindOfPost]: [
    {
      name: 'LinkedIn',
      known: /^linkedin\.com\/(?:embed\/)?feed\/update\/(urn:li:(?:share|ugcPost|activity):\d{1,24})(?!\w)/,
      page: 'www.linkedin.com/feed/update/{}',
      player: 'www.linkedin.com/embed/feed/update/{}',
    },
    {
      name: 'LinkedIn',
      // The address that a browser shows, also of a country's pages.
      known:
        /^(?:[a-z]{2}\.)?linkedin\.com\/posts\/[\w%~.-]{1,300}?[_-](activity|share|ugcPost)-(\d{10,24})(?!\d)/,
      page: 'www.linkedin.com/feed/update/urn:li:{1}:{2}',
      player: 'www.linkedin.com/embed/feed/update/urn:li:{1}:{2}',
    },
    {
      name: 'X',
      known: /^(?:mobile\.)?(?:x|twitter)\.com\/(\w{1,15})\/status(?:es)?\/(\d{1,20})(?!\w)/,
      page: 'x.com/{1}/status/{2}',
      player: 'platform.twitter.com/embed/Tweet.html?dnt=true&id={2}',
    },
    {
      name: 'X',
      known: /^platform\.twitter\.com\/embed\/Tweet\.html\?(?:[^#]*&)?id=(\d{1,20})(?!\w)/,
      page: 'platform.twitter.com/embed/Tweet.html?id={}',
      player: 'platform.twitter.com/embed/Tweet.html?dnt=true&id={}',
    },
    {
      name: 'Instagram',
      known: /^instagram\.com\/(?:[\w.]{1,30}\/)?(p|reel|tv)\/([\w-]{1,64})(?![\w-])/,
      page: 'www.instagram.com/{}/',
      player: 'www.instagram.com/{}/embed/',
    },
    {
      name: 'Facebook',
      known: /^facebook\.com\/([\w.-]{1,80}\/(?:posts|videos)\/[\w.-]{1,200}|reel\/\d{1,24})(?![\w-])/,
      page: 'www.facebook.com/{}',
      player: 'www.facebook.com/plugins/post.php?href=https%3A//www.facebook.com/{}',
    },
    {
      name: 'TikTok',
      known: /^tiktok\.com\/@([\w.]{1,24})\/video\/(\d{1,24})(?!\w)/,
      page: 'www.tiktok.com/@{1}/video/{2}',
      player: 'www.tiktok.com/embed/v2/{2}',
    },
    {
      name: 'TikTok',
      known: /^tiktok\.com\/(?:embed(?:\/v2)?|player\/v1)\/(\d{1,24})(?!\w)/,
      page: 'www.tiktok.com/embed/v2/{}',
    },
    {
      name: 'Bluesky',
      known:
        /^(?:bsky\.app\/profile|embed\.bsky\.app\/embed)\/([\w.:-]{1,253})\/(?:post|app\.bsky\.feed\.post)\/([a-z\d]{1,32})(?!\w)/,
      page: 'bsky.app/profile/{1}/post/{2}',
      player: 'embed.bsky.app/embed/{1}/app.bsky.feed.post/{2}',
    },
  ],
};
const PROVIDERS = Object.entries(PROVIDERS_BY_KIND).flatMap(([kind, providers]) =>
  providers.map((provider) => ({ ...provider, kind })),
);

const MAX_LENGTH = 2048;
/** Players that name the page which they play in a parameter. */
const WRAPPER = /^(?:w\.soundcloud\.com\/player\/?\?|facebook\.com\/plugins\/(?:post|video)\.php\?)/;

/** Hosts of the players, for `frame-src`: without a scheme they are of the page's own, or of https. */
export const PLAYER_HOSTS: readonly string[] = [
  ...new Set(PROVIDERS.map(({ page, player = page }) => String(player.split('/')[0]))),
];

function filled(template: string, parts: readonly string[]): string {
  const path = template.replace(/\{(\d?)\}/g, (_, part) => (part ? parts[part - 1] : parts.join('/')) ?? '');
  return `https://${path}`;
}

/** Links are often pasted without their scheme. */
function urlOf(address: string): URL | null {
  if (address.startsWith('//')) return URL.parse(`https:${address}`);
  return URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
}

/**
 * Returns the embed of an address of a page or a player, which must have exactly a provider's hosts; null for any other address.
 * `page` of the result has the same page and player.
 */
export function embedOf(address: string): Embed | null {
  const url = address.length > MAX_LENGTH ? null : urlOf(address.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.port + url.username + url.password !== '')
    return null;
  const known = url.hostname.replace(/^(?:www|m)\./, '') + url.pathname + url.search;
  if (WRAPPER.test(known)) return embedOf(url.searchParams.get('url') ?? url.searchParams.get('href') ?? '');
  for (const provider of PROVIDERS) {
    const [match, ...parts] = provider.known.exec(known) ?? [];
    if (match === undefined) continue;
    const { name, kind, page, player = page } = provider;
    return {
      provider: name,
      kind,
      id: parts.join('/'),
      page: filled(page, parts),
      player: filled(player, parts),
    };
  }
  return null;
}
