import { describe, expect, it } from 'vitest';
import { shortDescription } from './short-description.ts';

describe('shortDescription', () => {
  it('cuts at 100 characters and appends dots', () => {
    expect(shortDescription('a'.repeat(101))).toBe(`${'a'.repeat(100)}...`);
  });

  it('appends dots to a short text too', () => {
    expect(shortDescription('Come and see.')).toBe('Come and see....');
  });

  it('splits no surrogate pair', () => {
    expect(shortDescription(`${'a'.repeat(99)}😀b`)).toBe(`${'a'.repeat(99)}😀...`);
  });

  it('leaves an empty text empty', () => {
    expect(shortDescription('')).toBe('');
  });
});
