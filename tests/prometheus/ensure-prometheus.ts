import { spawnSync } from 'node:child_process';
import { installSystemPackage } from '../system-package.ts';

/** Installs Debian's `prometheus`, which has promtool, where the machine has none. */
const isInstalled = () => spawnSync('promtool', ['--version']).status === 0;

if (!isInstalled()) installSystemPackage('prometheus');
if (!isInstalled()) throw new Error('promtool could not be installed: the tests of the alert rules need it');
