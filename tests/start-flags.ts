import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Package = z.object({ scripts: z.object({ start: z.string() }) });

/** The flags that `npm start` gives Node: what is drilled and measured runs with them. */
export const START_FLAGS = Package.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')),
)
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));
