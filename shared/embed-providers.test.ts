import { describe, expect, it } from 'vitest';
import { embedOf, PLAYER_HOSTS } from './embed-providers.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('an embed', () => {
  it.each([
    ['YouTube', 'https://youtu.be/abcdefghijk?si=x', 'https://www.youtube-nocookie.com/embed/abcdefghijk'],
    [
      'YouTube',
      'https://m.youtube.com/watch?app=d&v=abcdefghijk&t=3',
      'https://www.youtube-nocookie.com/embed/abcdefghijk?start=3',
    ],
    [
      'YouTube',
      'https://www.youtube.com/embed/abcdefghijk?rel=0&start=42',
      'https://www.youtube-nocookie.com/embed/abcdefghijk?start=42',
    ],
    [
      'Vimeo',
      'https://player.vimeo.com/video/12345?dnt=1&h=8272103f6e',
      'https://player.vimeo.com/video/12345?h=8272103f6e',
    ],
    ['Vimeo', 'https://vimeo.com/12345/8272103f6e', 'https://player.vimeo.com/video/12345?h=8272103f6e'],
    [
      'YouTube',
      'https://www.youtube.com/playlist?list=PLabcdefghij',
      'https://www.youtube-nocookie.com/embed/videoseries?list=PLabcdefghij',
    ],
    ['Vimeo', 'https://vimeo.com/channels/staff/12345', 'https://player.vimeo.com/video/12345'],
    [
      'Wistia',
      'https://acme.wistia.com/medias/abc1234567',
      'https://fast.wistia.net/embed/iframe/abc1234567',
    ],
    [
      'Loom',
      `https://www.loom.com/share/${'a1'.repeat(16)}?sid=1`,
      `https://www.loom.com/embed/${'a1'.repeat(16)}`,
    ],
    [
      'TED',
      'https://www.ted.com/talks/ada_quill_on_waiting?subtitle=en',
      'https://embed.ted.com/talks/ada_quill_on_waiting',
    ],
    [
      'Spotify',
      'https://open.spotify.com/embed/episode/abcdefghijklmnopqrstuv?theme=0',
      'https://open.spotify.com/embed/episode/abcdefghijklmnopqrstuv',
    ],
    [
      'Apple Podcasts',
      'https://embed.podcasts.apple.com/gb/podcast/on-ledgers/id1234?i=5678',
      'https://embed.podcasts.apple.com/gb/podcast/on-ledgers/id1234?i=5678',
    ],
    [
      'SoundCloud',
      'https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/12345&color=%23f',
      'https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/12345',
    ],
    [
      'SoundCloud',
      'https://soundcloud.com/ledger-radio/episode-1',
      'https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/ledger-radio/episode-1',
    ],
    [
      'Libsyn',
      '//html5-player.libsyn.com/embed/episode/id/123/height/90/',
      'https://play.libsyn.com/embed/episode/id/123',
    ],
    [
      'Buzzsprout',
      'https://www.buzzsprout.com/123/episodes/456-a-title.js?container_id=x',
      'https://www.buzzsprout.com/123/456?iframe=true',
    ],
    [
      'Simplecast',
      `https://player.simplecast.com/${UUID}?dark=true`,
      `https://player.simplecast.com/${UUID}`,
    ],
    ['Transistor', 'https://share.transistor.fm/s/1a2b3c4d', 'https://share.transistor.fm/e/1a2b3c4d'],
    [
      'Acast',
      'https://shows.acast.com/ledgers/episodes/the-first',
      'https://embed.acast.com/ledgers/the-first',
    ],
    ['Datawrapper', 'https://datawrapper.dwcdn.net/Ab1cD/3/', 'https://datawrapper.dwcdn.net/Ab1cD/'],
    [
      'Flourish',
      'https://flo.uri.sh/visualisation/123456/embed',
      'https://flo.uri.sh/visualisation/123456/embed',
    ],
    [
      'Infogram',
      'https://e.infogram.com/0f8fad5b-d9cb-469f-a165?src=embed',
      'https://e.infogram.com/0f8fad5b-d9cb-469f-a165?src=embed',
    ],
    [
      'SlideShare',
      'https://www.slideshare.net/slideshow/embed_code/key/aB1',
      'https://www.slideshare.net/slideshow/embed_code/key/aB1',
    ],
    [
      'Google Maps',
      'https://www.google.com/maps/embed?pb=!1m14!1m8!1d99!2d-0.1277!3d51.5073!3m2',
      'https://www.google.com/maps?q=51.5073,-0.1277&output=embed',
    ],
    [
      'Google Maps',
      'https://maps.google.com/maps?q=Gothenburg%20harbour&t=m&z=10&output=embed',
      'https://www.google.com/maps?q=Gothenburg%20harbour&output=embed',
    ],
    [
      'YouTube',
      'https://www.youtube.com/embed/live_stream?channel=UCabcdefghijklmnopqrstuv',
      'https://www.youtube-nocookie.com/embed/live_stream?channel=UCabcdefghijklmnopqrstuv',
    ],
    ['YouTube', 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv', null],
    [
      'YouTube',
      'https://www.youtube.com/embed?listType=playlist&list=PLabcdefghijkl',
      'https://www.youtube-nocookie.com/embed/videoseries?list=PLabcdefghijkl',
    ],
    [
      'Google Maps',
      'https://www.google.com/maps?q=Gothenburg+harbour',
      'https://www.google.com/maps?q=Gothenburg+harbour&output=embed',
    ],
    [
      'Google Maps',
      'https://www.google.com/maps/d/u/0/embed?mid=1AbCdEf_gh-I&ehbc=2E312F',
      'https://www.google.com/maps/d/embed?mid=1AbCdEf_gh-I',
    ],
    ['CodePen', 'https://codepen.io/ada/embed/preview/AbCdE', 'https://codepen.io/ada/embed/AbCdE'],
    [
      'LinkedIn',
      'https://de.linkedin.com/posts/ada-quill_a-word-activity-7012345678901234567-AbCd?utm_source=share',
      'https://www.linkedin.com/embed/feed/update/urn:li:activity:7012345678901234567',
    ],
    [
      'LinkedIn',
      'https://www.linkedin.com/embed/feed/update/urn:li:share:123',
      'https://www.linkedin.com/embed/feed/update/urn:li:share:123',
    ],
    [
      'X',
      'https://twitter.com/adaquill/status/123?ref=x',
      'https://platform.twitter.com/embed/Tweet.html?dnt=true&id=123',
    ],
    ['Instagram', 'https://www.instagram.com/reel/aB-1/?utm=x', 'https://www.instagram.com/reel/aB-1/embed/'],
    [
      'Facebook',
      'https://www.facebook.com/plugins/post.php?href=https%3A%2F%2Fwww.facebook.com%2Facme%2Fposts%2F123',
      'https://www.facebook.com/plugins/post.php?href=https%3A//www.facebook.com/acme/posts/123',
    ],
    [
      'Dailymotion',
      'https://www.dailymotion.com/video/x7tgad0_on-ledgers',
      'https://geo.dailymotion.com/player.html?video=x7tgad0',
    ],
    [
      'Dailymotion',
      'https://dai.ly/x7tgad0?playlist=x5v2j7',
      'https://geo.dailymotion.com/player.html?video=x7tgad0',
    ],
    [
      'Dailymotion',
      'https://geo.dailymotion.com/player/xahry.html?mute=true&video=x7tgad0',
      'https://geo.dailymotion.com/player.html?video=x7tgad0',
    ],
    ['VideoPress', 'https://videopress.com/v/aBcDeF12?at=30', 'https://videopress.com/embed/aBcDeF12'],
    ['VideoPress', 'https://video.wordpress.com/embed/aBcDeF12', 'https://videopress.com/embed/aBcDeF12'],
    ['TikTok', 'https://www.tiktok.com/@ada.quill/video/123', 'https://www.tiktok.com/embed/v2/123'],
    [
      'Bluesky',
      'https://bsky.app/profile/ada.example.com/post/3k2',
      'https://embed.bsky.app/embed/ada.example.com/app.bsky.feed.post/3k2',
    ],
  ])('of %s is recognised by %s', (provider, address, player) => {
    const embed = embedOf(address);
    expect(embed?.player ?? null).toBe(player);
    if (embed === null) return;
    expect(embed.provider).toBe(provider);
    expect(embedOf(embed.page)).toMatchObject({ page: embed.page, player: embed.player });
    expect(embedOf(embed.player)?.player).toBe(embed.player);
    expect(PLAYER_HOSTS).toContain(new URL(embed.player).host);
  });

  it.each([
    'https://www.youtube.com.evil.example/embed/abcdefghijk',
    'https://evil.example/www.youtube.com/embed/abcdefghijk',
    'https://www.youtube.com@evil.example/embed/abcdefghijk',
    'https://www.youtube.com:444/embed/abcdefghijk',
    'https://www.youtube.com/embed/abcdefghijk"onload=x',
    'https://open.spotify.com/embed/episode/../../evil',
    'https://w.soundcloud.com/player/?url=https%3A//evil.example/x',
    'https://www.facebook.com/plugins/post.php?href=https%3A%2F%2Fevil.example%2Fposts%2F1',
    'https://www.google.com/maps?q=%22onload%3D&output=embed#x',
    'https://www.google.com/search?q=x',
    'javascript:alert(1)//https://www.youtube.com/embed/abcdefghijk',
    'ftp://www.youtube.com/embed/abcdefghijk',
    `https://youtu.be/abcdefghijk?${'x'.repeat(3000)}`,
    '',
  ])('is nothing but an id that needs no escaping, of exactly the hosts of a provider: %s', (address) => {
    const embed = embedOf(address);
    if (embed !== null)
      expect(embed.player).toMatch(/^https:\/\/www\.google\.com\/maps\?q=[\w%=.]+&output=embed$/);
  });
});

it('the hosts of players take at most 500 bytes of a content security policy', () => {
  expect(PLAYER_HOSTS.join(' ').length).toBeLessThanOrEqual(500);
  expect(new Set(PLAYER_HOSTS.map((host) => host.includes('/')))).toEqual(new Set([false]));
});
