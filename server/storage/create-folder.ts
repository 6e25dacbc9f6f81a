import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Nobody but the owner: DATA_DIR holds what readers sent. */
const PRIVATE = 0o700;

/**
 * Creates a folder and its missing parents, by default for their owner alone. Throws where that is not possible. Not by Node's `recursive`, which never
 * returns where the parent exists but reports the new folder as missing, as `/proc` does.
 */
export function createFolder(dir: string, mode = PRIVATE): void {
  const parent = dirname(dir);
  if (!existsSync(parent)) createFolder(parent, mode);
  try {
    mkdirSync(dir, mode);
  } catch (error) {
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
