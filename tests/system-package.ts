import { execFileSync } from 'node:child_process';

/** Installs one of Debian's packages. Throws where the machine does not let it. */
export function installSystemPackage(name: string): void {
  process.stdout.write(`no ${name} found: installing it from the system’s packages\n`);
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '-qq', name], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
