import { spawnSync } from 'node:child_process';
import { installSystemPackage } from '../system-package.ts';

/** Installs Debian's Varnish and its modules (xkey) where the machine has none. */
const isThere = () => spawnSync('varnishd', ['-V']).status === 0;

if (!isThere()) {
  installSystemPackage('varnish');
  installSystemPackage('varnish-modules');
}
if (!isThere()) throw new Error('varnish could not be installed: the tests of a shared cache need one');
