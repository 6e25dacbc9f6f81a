import { join } from 'node:path';
import { z } from 'zod';
import { type Policies, PolicyChanges } from '#server/cache/policies.ts';
import { readIfExists, replaceFile } from '#server/storage/files.ts';
import { RESOURCE_TABLE } from '#shared/models/resources-and-policies.ts';

export const POLICY_FILE = 'cache-policies.json';

export interface PolicyStoreOptions {
  dir: string;
  policies: Policies;
  logger: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Makes a store that keeps changed policies across restarts, in a JSON file which is replaced atomically. */
export function createPolicyStore({ dir, policies, logger }: PolicyStoreOptions) {
  const path = join(dir, POLICY_FILE);
  let writing = Promise.resolve(true);

  async function write(changes: PolicyChanges): Promise<boolean> {
    try {
      await replaceFile(path, `${JSON.stringify(changes, null, 2)}\n`);
      return true;
    } catch (error) {
      logger.error({ err: error }, 'changed cache policies could not be written: a restart undoes them');
      return false;
    }
  }

  /** Throws where the text is not valid. */
  function apply(text: string): void {
    const stored = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    policies.replace(PolicyChanges.parse(stored));
    const resources = Object.keys(stored).filter((name) => !(name in RESOURCE_TABLE));
    if (resources.length > 0)
      logger.warn({ resources, file: path }, 'persisted cache policies ignored: no such resources');
  }

  return {
    /**
     * Applies the persisted changes, and persists later ones. A file that cannot be read is ignored and logged, as is a
     * resource of another version.
     */
    async load(): Promise<void> {
      try {
        const text = await readIfExists(path);
        if (text !== null) apply(text.toString());
      } catch (error) {
        logger.warn({ err: error, file: path }, 'persisted cache policies ignored: the file is not valid');
      }
      // One write at a time, each with the changes of its moment: the last file holds the last state.
      policies.onChange(() => {
        writing = writing.then(() => write(policies.changes()));
      });
    },
    /** Resolves with false where the disk fails: the last change is in force, but only until a restart. */
    persisted: (): Promise<boolean> => writing,
  };
}

export type PolicyStore = ReturnType<typeof createPolicyStore>;
