import { RESOURCES } from './cache/resources.ts';
import { policyVariables, variables } from './config.ts';
import type { Variable } from './config-rules.ts';

function line({ name, fallback, meaning, expected }: Variable<unknown>): string {
  return `# ${meaning}: ${expected}\n${fallback === null ? `# ${name}=` : `${name}=${fallback}`}\n`;
}

/** `.env.example`, from the same table that reads the environment. */
export function configExample(): string {
  const cache = RESOURCES.flatMap((resource) => Object.values(policyVariables(resource)));
  const cacheLines = cache.map(({ name, fallback, meaning }) => `${name}=${fallback} # ${meaning}\n`);
  return [
    ...Object.values(variables).map(line),
    '# Ages of the content cache, in seconds\n',
    ...cacheLines,
  ].join('');
}

if (import.meta.main) process.stdout.write(configExample());
