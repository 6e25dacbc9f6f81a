import { spawnSync } from 'node:child_process';
import { installSystemPackage } from '../system-package.ts';

/** Installs Debian's nginx where the machine has none. */
const isThere = () => spawnSync('nginx', ['-v']).status === 0;

if (!isThere()) installSystemPackage('nginx');
if (!isThere()) throw new Error('nginx could not be installed: the tests of a shared cache need one');
