import { describe, expect, it } from 'vitest';
import { imageSbom } from './image-sbom.ts';

const PRODUCTION = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  components: [
    { type: 'library', name: 'fastify', version: '5.12.8', purl: 'pkg:npm/fastify@5.12.8', licenses: [] },
    { type: 'library', name: 'sharp', version: '0.35.5', purl: 'pkg:npm/sharp@0.35.5' },
  ],
});
const CONTENTS = `os\tdebian\t12
node\tnode\t24.21.0
deb\tlibstdc++6\t12.2.0-14+deb12u1\tamd64
npm\tsharp\t0.35.5
npm\t@img/sharp-linux-x64\t0.35.5
npm\tnpm\t11.6.2
`;

describe('the list of all that an image holds', () => {
  it('has the system, Node, Debian’s packages, what is bundled and what is installed, each once', () => {
    const { bomFormat, components } = imageSbom(PRODUCTION, CONTENTS);
    expect(bomFormat).toBe('CycloneDX');
    expect(components.map(({ name, purl }) => purl ?? name)).toEqual([
      'pkg:npm/fastify@5.12.8',
      'pkg:npm/sharp@0.35.5',
      'debian',
      'pkg:generic/node@24.21.0',
      'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
      'pkg:npm/%40img/sharp-linux-x64@0.35.5',
      'pkg:npm/npm@11.6.2',
    ]);
    expect(components[0]).toHaveProperty('licenses');
  });

  it('refuses what is no line of the list', () => {
    expect(() => imageSbom(PRODUCTION, 'E: unable to read\n')).toThrow('no line of the list');
  });
});
