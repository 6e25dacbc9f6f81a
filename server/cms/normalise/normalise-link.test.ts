import { expect, it } from 'vitest';
import { cmsMediaLink, normaliseVideo } from './normalise-link.ts';

it.each([
  'https://www.youtube.com/watch?v=abcdefghijk&t=3',
  'https://m.youtube.com/watch?app=desktop&v=abcdefghijk',
  'https://music.youtube.com/watch?v=abcdefghijk',
  'http://youtube.com/embed/abcdefghijk?rel=0',
  'https://www.youtube.com/shorts/abcdefghijk',
  'https://youtube.com/live/abcdefghijk',
  'https://www.youtube-nocookie.com/embed/abcdefghijk',
  'https://youtu.be/abcdefghijk?si=x',
  ' youtu.be/abcdefghijk ',
])('%s shows a YouTube video', (link) => {
  expect(normaliseVideo(link)).toEqual({ provider: 'youtube', id: 'abcdefghijk' });
});

it.each([
  ['https://vimeo.com/12345', '12345'],
  ['//vimeo.com/12345', '12345'],
  ['https://vimeo.com/12345/8272103f6e', '12345/8272103f6e'],
  ['https://player.vimeo.com/video/12345?h=8272103f6e', '12345/8272103f6e'],
])('%s shows a Vimeo video, an unlisted one with its key', (link, id) => {
  expect(normaliseVideo(link)).toEqual({ provider: 'vimeo', id });
});

it.each([
  'https://evil-youtube.com/watch?v=abcdefghijk',
  'https://youtube.com.evil.example/embed/abcdefghijk',
  'https://youtube.com@evil.example/embed/abcdefghijk',
  'https://evil.example/?u=https://youtu.be/abcdefghijk',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/embed/abcdefghijk"onload',
  'https://vimeo.com/abc',
  'javascript:https://youtu.be/abcdefghijk',
  '',
])('%s shows none', (link) => {
  expect(normaliseVideo(link)).toBeNull();
});

it.each([
  ['<iframe src="https://a.example/v?id=1&amp;copy"></iframe>', 'https://a.example/v?id=1&copy'],
  ['https://a.example/v?id=1&amp;copy', 'https://a.example/v?id=1&copy'],
])('what escapes an ampersand in %s is read once', (given, address) => {
  expect(cmsMediaLink.parse(given)).toBe(address);
});
