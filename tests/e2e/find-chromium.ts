import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The headless shell is the same engine without windows: its tests take two thirds of the processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Returns the path of Chromium: `CHROMIUM_PATH`, or the first in `PATH`; null when there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const candidates = [
    env['CHROMIUM_PATH'],
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}
