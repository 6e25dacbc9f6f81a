import { expect, it } from 'vitest';
import { embedUrl, playerUrl, watchUrl } from './video-url.ts';

it.each([
  [
    'youtube',
    'abcdefghijk',
    'https://www.youtube-nocookie.com/embed/abcdefghijk',
    'https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1',
    'https://www.youtube.com/watch?v=abcdefghijk',
  ],
  [
    'vimeo',
    '12345',
    'https://player.vimeo.com/video/12345',
    'https://player.vimeo.com/video/12345?autoplay=1&dnt=1',
    'https://vimeo.com/12345',
  ],
  [
    'vimeo',
    '12345/8272103f6e',
    'https://player.vimeo.com/video/12345?h=8272103f6e',
    'https://player.vimeo.com/video/12345?h=8272103f6e&autoplay=1&dnt=1',
    'https://vimeo.com/12345/8272103f6e',
  ],
] as const)('a video of %s, %s, has the URLs of its player and its page', (provider, id, ...urls) => {
  const video = { provider, id };
  expect([embedUrl(video), playerUrl(video), watchUrl(video)]).toEqual(urls);
});
