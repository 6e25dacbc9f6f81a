import { describe, expect, it } from 'vitest';
import { createImageResolver } from './normalise-image.ts';

describe('a picture of the image host', () => {
  const imageOf = createImageResolver('https://img.example.com/base/');

  it.each([
    ['/posts/a.jpg', 'https://img.example.com/base/posts/a.jpg'],
    ['posts/a b.jpg', 'https://img.example.com/base/posts/a%20b.jpg'],
    ['/posts/a.jpg?width=300&v=2', 'https://img.example.com/base/posts/a.jpg?v=2'],
    ['/posts/a.jpg?width=300&height=200&v=2', 'https://img.example.com/base/posts/a.jpg?v=2'],
    ['https://img.example.com/base/a.jpg?width=1', 'https://img.example.com/base/a.jpg'],
  ])('%s has the full address without a width', (path, address) => {
    expect(imageOf(path)).toBe(address);
  });

  it.each([
    ['an address outside the base path', 'https://img.example.com/other/a.jpg'],
    ['another host', 'https://evil.example/base/a.jpg'],
    ['another scheme', 'http://img.example.com/base/a.jpg'],
    ['credentials', 'https://u:p@img.example.com/base/a.jpg'],
    ['a protocol-relative address', '//img.example.com/base/a.jpg'],
    ['a backslashed one', '\\\\evil.example/a.jpg'],
    ['a climbing path', '/posts/../../a.jpg'],
    ['an encoded climbing path', '/posts/%2e%2E/%252e%252e%2fa.jpg'],
    ['data', 'data:image/png;base64,x'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', '  '],
    ['the base itself', '/'],
    ['a line break', '/a\n.jpg'],
  ])('is not shown for %s', (_, path) => {
    expect(imageOf(path)).toBeNull();
  });

  it('may be under a path of our own site, and keeps its URL when it is resolved twice', () => {
    const ownImageOf = createImageResolver('/media');
    expect(ownImageOf('posts/a.jpg')).toBe('/media/posts/a.jpg');
    expect(ownImageOf('/media/posts/a.jpg?width=1000')).toBe('/media/posts/a.jpg');
    expect(ownImageOf('https://nowhere.invalid/media/a.jpg')).toBeNull();
  });
});

describe('an image whose host is resized by this site', () => {
  const imageOf = createImageResolver('https://img.example.com/base/', '/media');

  it.each([
    ['posts/a.jpg', '/media/posts/a.jpg'],
    ['/posts/a b.jpg', '/media/posts/a%20b.jpg'],
    ['/posts/(1).jpg?v=2&width=300', '/media/posts/(1).jpg'],
    ['/posts/%61,b.jpg', '/media/posts/a%2Cb.jpg'],
    ['https://img.example.com/base/posts/a.jpg?sig=x', '/media/posts/a.jpg'],
    ['https://img.example.com/other/a.jpg', null],
    ['https://other.example.com/base/a.jpg', null],
    ['/a//b.jpg', null],
    ['/../a.jpg', null],
    ['/plans/a diagram.svg?v=2', 'https://img.example.com/base/plans/a%20diagram.svg?v=2'],
    ['https://img.example.com/base/favicon.ICO', 'https://img.example.com/base/favicon.ICO'],
    ['/../a.svg', null],
  ])('reads %j as %j', (path, expected) => {
    expect(imageOf(path)).toBe(expected);
  });

  it('is read through this site whatever it is where no other has it', () => {
    expect(createImageResolver('/media', '/media')('/a.svg')).toBe('/media/a.svg');
  });
});
