import { spawnSync } from 'node:child_process';
import { installSystemPackage } from '../system-package.ts';

/** Installs Debian's `redis-server` where the machine has none. */
const isInstalled = () => spawnSync('redis-server', ['--version']).status === 0;

if (!isInstalled()) installSystemPackage('redis-server');
if (!isInstalled())
  throw new Error('redis-server could not be installed: the tests of several instances need one');
