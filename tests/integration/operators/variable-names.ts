import { allVariables } from '#server/config/config.ts';

/** Returns the names of all variables of the configuration, and of those that name a secret's file. */
export function configurationNames(): ReadonlySet<string> {
  return new Set(
    allVariables().flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
  );
}
