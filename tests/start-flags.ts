import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Package = z.object({ scripts: z.object({ start: z.string() }) });

const words = Package.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')))
  .scripts.start.replace('exec node ', '')
  .split(' ');

/** Node's flags of `npm start`: drills and benchmarks run with them. */
export const START_FLAGS = words.filter((word) => word.startsWith('--'));

/** Node's flags and the script of `npm start`. */
export const START_COMMAND: readonly string[] = words;
