import { installSystemPackage } from '../system-package.ts';
import { findChromium } from './find-chromium.ts';

/** Installs Debian's Chromium where the machine has none. */
if (findChromium() === null) installSystemPackage('chromium-headless-shell');
if (findChromium() === null)
  throw new Error('Chromium could not be installed: set CHROMIUM_PATH to one that is elsewhere');
