import type { Video } from '#shared/models/article.ts';

const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);
const VIMEO_HOSTS = new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com']);

function youtube(id: string | null | undefined): Video | null {
  return id && /^[A-Za-z0-9_-]{11}$/.test(id) ? { provider: 'youtube', id } : null;
}

function vimeo(id: string | undefined): Video | null {
  return id && /^\d{1,15}$/.test(id) ? { provider: 'vimeo', id } : null;
}

function ofYoutube(url: URL): Video | null {
  const [kind = '', id] = url.pathname.split('/').filter(Boolean);
  if (kind === 'watch') return youtube(url.searchParams.get('v'));
  return ['embed', 'shorts', 'live', 'v'].includes(kind) ? youtube(id) : null;
}

function ofVimeo(url: URL): Video | null {
  const segments = url.pathname.split('/').filter(Boolean);
  if (url.hostname === 'player.vimeo.com') return segments[0] === 'video' ? vimeo(segments[1]) : null;
  return vimeo(segments[0]);
}

/** Links are often pasted without their scheme. */
function urlOf(link: string): URL | null {
  if (link.startsWith('//')) return URL.parse(`https:${link}`);
  return URL.parse(/^[a-z]+:\/\//i.test(link) ? link : `https://${link}`);
}

/** Returns the video of a YouTube or Vimeo URL, which must have exactly their hosts; null for any other URL. */
export function normaliseVideo(link: string | null): Video | null {
  const url = link === null || link.length > 2048 ? null : urlOf(link.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.port !== '') return null;
  if (url.hostname === 'youtu.be' || url.hostname === 'www.youtu.be')
    return youtube(url.pathname.split('/')[1]);
  if (YOUTUBE_HOSTS.has(url.hostname)) return ofYoutube(url);
  return VIMEO_HOSTS.has(url.hostname) ? ofVimeo(url) : null;
}
