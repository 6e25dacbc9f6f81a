import type { z } from 'zod';

/** Notes what is wrong. `file`: its path in the folder, with a line where it has lines. `expected`: what should stand there. */
export type AddMistake = (file: string, expected: string) => void;

/** Notes what a schema does not allow, key by key. `fileOf`: the file of a key, with its line where that is known. */
export function addIssues(
  { issues }: z.ZodError,
  fileOf: (key: PropertyKey | undefined) => string,
  addMistake: AddMistake,
): void {
  for (const issue of issues) {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys')
      addMistake(fileOf(path[0]), `${path.join('.') || 'the whole'}: ${message}`);
    else
      for (const key of issue.keys)
        addMistake(fileOf(path[0] ?? key), `${[...path, key].join('.')}: no such key is known`);
  }
}
