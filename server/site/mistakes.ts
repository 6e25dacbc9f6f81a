/** Collects what is wrong in the site folder, so that one start names all of it. */
export class Mistakes {
  readonly lines: string[] = [];

  /** `file`: its path in the folder, with a line where it has lines. `expected`: what should stand there. */
  add(file: string, expected: string): void {
    this.lines.push(`SITE_DIR/${file}: ${expected}`.replace(/\s+/g, ' '));
  }
}

/** Its message has a line for each mistake: file, place, what is expected. */
export class SiteFolderError extends Error {
  override readonly name = 'SiteFolderError';

  constructor({ lines }: Mistakes) {
    super(lines.join('\n'));
  }
}
