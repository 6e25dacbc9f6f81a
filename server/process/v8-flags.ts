import { setFlagsFromString } from 'node:v8';

/**
 * Turns off V8's pretenuring, which allocates objects in the old generation if many of their kind have survived, as those
 * of the first requests do while they wait for a page. From then on every request would stay in memory until the next
 * full collection (`docs/decisions/0015`). To be called before anything is served.
 */
export function setV8Flags(): void {
  // Loads the code of fetch, which the router needs. After the next line V8 takes none of Node's code from the form that
  // is compiled into its binary, because that belongs to other flags.
  void globalThis.Request;
  setFlagsFromString('--no-allocation-site-pretenuring');
}
