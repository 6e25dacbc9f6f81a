import { hash } from 'node:crypto';

/** Thrown by a call whose response has the same body as before. */
export class Unchanged extends Error {
  constructor() {
    super('the body is the same as before');
    this.name = 'Unchanged';
  }
}

/** Compares the body of a response with an earlier one of the same call, by their digests. */
export interface BodyComparison {
  /** Returns whether the body is the earlier one. */
  isSame(body: Buffer): boolean;
  /** Returns the digest of the body that was compared last; undefined before. */
  digest(): string | undefined;
}

/** Creates a comparison with the body of that digest; undefined: with none. */
export function compareWith(earlier: string | undefined): BodyComparison {
  let digest: string | undefined;
  return {
    isSame(body) {
      digest = hash('sha1', body, 'base64');
      return digest === earlier;
    },
    digest: () => digest,
  };
}
