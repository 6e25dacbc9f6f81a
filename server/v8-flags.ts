import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from putting new objects where only a full collection finds them. It does so for kinds of objects of which it
 * once saw many live on, as those of the first readers do who wait for a page; from then on every request stays until the
 * next full collection (`docs/decisions/0015`). To be called before anything is served.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
