import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Throws where that is not possible. Not by Node's `recursive`, which never
 * returns where the parent exists but reports the new folder as missing, as `/proc` does.
 */
export function createFolder(dir: string): void {
  const parent = dirname(dir);
  if (!existsSync(parent)) createFolder(parent);
  try {
    mkdirSync(dir);
  } catch (error) {
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
