import { mapVariables } from '#server/config/config.ts';

/** Returns the names of all variables of the configuration, and of those that name a secret's file. */
export function configurationNames(): ReadonlySet<string> {
  const names = new Set<string>();
  mapVariables(({ name, isSecret }) => {
    names.add(name);
    if (isSecret) names.add(`${name}_FILE`);
  });
  return names;
}
