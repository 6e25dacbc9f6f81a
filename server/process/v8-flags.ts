import { setFlagsFromString } from 'node:v8';

/**
 * Of objects that survive for a while, as those of a request do that waits for a page, V8 would allocate all further ones in
 * the old generation, where they stay until the next full collection (`docs/decisions/0049`). And it would let the old
 * generation double before it collects (`docs/decisions/0049`).
 */
const FLAGS = ['--no-allocation-site-pretenuring', '--heap-growing-percent=15'];

/**
 * Sets flags of V8 that a server needs under load, for all threads. To be called when the server is ready and not before: from
 * then on V8 takes none of Node's own modules from the form that is compiled into its binary, because that belongs to other flags.
 */
export function setV8Flags(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
