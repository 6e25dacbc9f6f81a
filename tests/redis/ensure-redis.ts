import { spawnSync } from 'node:child_process';
import { installSystemPackage } from '../system-package.ts';

/** Installs Debian's Redis where the machine has none. */
const isThere = () => spawnSync('redis-server', ['--version']).status === 0;

if (!isThere()) installSystemPackage('redis-server');
if (!isThere())
  throw new Error('redis-server could not be installed: the tests of several instances need one');
