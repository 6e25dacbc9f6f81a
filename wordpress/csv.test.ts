import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('csvLine', () => {
  it('quotes cells, and keeps a spreadsheet from running them', () => {
    expect(csvLine(['a,b', 'c"d', '=1', '+1', '-1', '@a', '＝1', 'e'])).toBe(
      `"a,b","c""d",'=1,'+1,'-1,'@a,'＝1,e\r\n`,
    );
  });
});
