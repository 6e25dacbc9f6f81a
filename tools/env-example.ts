import { mapVariables } from '#server/config/config.ts';

/** Returns the text of `.env.example`: every variable of the schema with its default. */
export function envExample(): string {
  const lines: string[] = [];
  mapVariables(({ name, fallback, description, expected }) => {
    lines.push(`# ${description}: ${expected}`, fallback === null ? `# ${name}=` : `${name}=${fallback}`);
  });
  return `${lines.join('\n')}\n`;
}
