import { execFileSync } from 'node:child_process';
import { findChromium } from './find-chromium.ts';

/** Installs Debian's Chromium where the machine has none. */
if (findChromium() === null) {
  process.stdout.write('no Chromium found: installing it from the system’s packages\n');
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
if (findChromium() === null)
  throw new Error('Chromium could not be installed: set CHROMIUM_PATH to one that stands elsewhere');
