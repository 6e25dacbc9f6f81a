import { z } from 'zod';

/**
 * A script for `sh` in the image that prints what is in it, a line for each: the system, Node, Debian's packages, and
 * packages of npm by their `package.json`. What is bundled into `dist` has none.
 */
export const LIST_CONTENTS = `
set -eu
. /etc/os-release
printf 'os\\t%s\\t%s\\n' "$ID" "$VERSION_ID"
printf 'node\\tnode\\t%s\\n' "$(node -p process.versions.node)"
dpkg-query -W -f='deb\\t\${Package}\\t\${Version}\\t\${Architecture}\\n'
find / -xdev -path '*/node_modules/*' -name package.json -not -path '/proc/*' | node -e '
const { readFileSync } = require("node:fs");
for (const path of readFileSync(0, "utf8").split("\\n").filter(Boolean)) {
  const { name, version } = JSON.parse(readFileSync(path, "utf8"));
  if (name && version) console.log(["npm", name, version].join("\\t"));
}'
`;

const Component = z.looseObject({ type: z.string(), name: z.string(), purl: z.string().optional() });
type Component = z.infer<typeof Component>;
const Sbom = z.looseObject({ bomFormat: z.literal('CycloneDX'), components: z.array(Component) });
type Sbom = z.infer<typeof Sbom>;

/**
 * Returns the CycloneDX list of all that an image holds: what `LIST_CONTENTS` printed in it, and the packages of production,
 * which are bundled. `production`: their list. Throws on a line that is none of the script's.
 */
export function imageSbom(production: string, contents: string): Sbom {
  const bundled = Sbom.parse(JSON.parse(production));
  const lines = contents.trim().split('\n');
  const [, , release = ''] = lines.find((line) => line.startsWith('os\t'))?.split('\t') ?? [];
  const listed = new Map(bundled.components.map((one) => [one.purl ?? one.name, one]));
  for (const line of lines) {
    const component = componentOf(line, release);
    const key = component.purl ?? component.name;
    if (!listed.has(key)) listed.set(key, component);
  }
  return { ...bundled, components: [...listed.values()] };
}

function componentOf(line: string, release: string): Component {
  const [kind, name = '', version = '', architecture = ''] = line.split('\t');
  const common = { name, version };
  switch (kind) {
    case 'os':
      return { type: 'operating-system', ...common };
    case 'node':
      return {
        type: 'application',
        ...common,
        purl: `pkg:generic/node@${version}`,
        cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
      };
    case 'deb': {
      const qualifiers = `arch=${architecture}&distro=debian-${release}`;
      const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`;
      return { type: 'library', ...common, purl };
    }
    case 'npm':
      return { type: 'library', ...common, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
    default:
      throw new Error(`no line of the list: ${line}`);
  }
}
