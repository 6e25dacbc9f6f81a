import { describe, expect, it } from 'vitest';
import { shortDescription } from './short-description.ts';

describe('shortDescription', () => {
  it('cuts at 100 characters, and dots follow', () => {
    expect(shortDescription('a'.repeat(101))).toBe(`${'a'.repeat(100)}...`);
  });

  it('puts dots behind a text that is short, too', () => {
    expect(shortDescription('Come and see.')).toBe('Come and see....');
  });

  it('cuts no character in half', () => {
    expect(shortDescription(`${'a'.repeat(99)}😀b`)).toBe(`${'a'.repeat(99)}😀...`);
  });

  it('makes nothing of nothing', () => {
    expect(shortDescription('')).toBe('');
  });
});
