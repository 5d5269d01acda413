import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validation, type Spec } from '@cyclonedx/cyclonedx-library';
import { expect } from 'chai';
import { installedFor } from '../release/changed-images.js';
import { packagesOf, SERVICES } from './contents.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_VERSION = '24.21.0';

/** The used part of a bill of materials. */
interface Bill {
  readonly specVersion: Spec.Version;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly group?: string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const billOf = (service: string): string =>
  execFileSync(process.execPath, [path.join(ROOT, 'deploy/images/sbom.mjs'), service, NODE_VERSION], {
    encoding: 'utf8',
  });

const tree = { read: (file: string): string => readFileSync(path.join(ROOT, file), 'utf8') };

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(tree.read(`${folder}/package.json`)) as Manifest;

describe('the bill of materials of an image', () => {
  it('is valid CycloneDX, and the same each time', async () => {
    const text = billOf('gateway');
    const { specVersion } = JSON.parse(text) as Bill;
    const faults: unknown = await new Validation.JsonStrictValidator(specVersion).validate(text);
    expect(faults).to.equal(null);
    const broken = text.replace('"bomFormat": "CycloneDX"', '"bomFormat": "other"');
    expect(await new Validation.JsonStrictValidator(specVersion).validate(broken)).not.to.equal(null);
    expect(billOf('gateway')).to.equal(text);
  });

  for (const service of SERVICES)
    it(`of ${service} has Node.js and exactly the packages that the lock installs`, () => {
      const { metadata, components, dependencies } = JSON.parse(billOf(service)) as Bill;
      expect(metadata.component.name).to.equal(`placard/${service}`);
      const refs = components.map((component) => component['bom-ref']);
      const own = packagesOf(service, manifestOf);
      const versionOf = (name: string): string => manifestOf(name).version;
      expect(metadata.component.version).to.equal(versionOf(service));
      expect(refs).to.have.members([
        ...installedFor(tree, own),
        ...own.map((name) => `@placard/${name}@${versionOf(name)}`),
        `node@${NODE_VERSION}`,
      ]);
      const known = new Set([...refs, `placard/${service}`]);
      const unknown = dependencies.flatMap(({ ref, dependsOn = [] }) =>
        [ref, ...dependsOn].filter((to) => !known.has(to)),
      );
      expect(unknown).to.deep.equal([]);
    });

  it('of console-service has the native hashing of passwords for one platform', () => {
    const { components } = JSON.parse(billOf('console-service')) as Bill;
    const names = components.map(({ name }) => name).filter((name) => name.startsWith('@node-rs/argon2-'));
    expect(names).to.deep.equal([`@node-rs/argon2-linux-${process.arch}-gnu`]);
  });
});
