import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's packages of a WordPress that the tests set up themselves. */
const PACKAGES = ['wordpress', 'mariadb-server', 'php-cli', 'php-mysql', 'php-gd'];

/** Whether this machine has what a WordPress needs. */
export function hasWordpress(): boolean {
  const runs = (command: string, flag: string) => spawnSync(command, [flag]).status === 0;
  return existsSync('/usr/share/wordpress/wp-load.php') && runs('mariadbd', '--version') && runs('php', '-v');
}

if (import.meta.main && !hasWordpress()) {
  if (process.env['CI'] === undefined) {
    process.stdout.write(
      `no WordPress found: its tests are skipped. To run them: apt-get install ${PACKAGES.join(' ')}\n`,
    );
  } else {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    // Without what is recommended: Apache, which would listen.
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (!hasWordpress())
      throw new Error('WordPress could not be installed: the tests of its adapter need one');
  }
}
