import { expect } from 'chai';
import { SERVICES } from '../images/contents.mjs';
import { changedImages, type Snapshot } from './changed-images.js';

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A repository in which every service depends on the kit, the kit on `pg`, the gateway on `ajv`, and a tool on `mocha`. */
function snapshot(version: string, over: Readonly<Record<string, Locked>> = {}): Snapshot {
  const manifests: Record<string, Locked> = {
    'service-kit': { version, dependencies: { pg: '1' } },
    tool: { version, dependencies: { mocha: '1' } },
  };
  for (const service of SERVICES)
    manifests[service] = { version, dependencies: { '@placard/service-kit': version } };
  manifests['gateway'] = { version, dependencies: { '@placard/service-kit': version, ajv: '1' } };
  const packages: Record<string, Locked> = {
    ...manifests,
    'node_modules/@placard/service-kit': { link: true },
    'node_modules/pg': { version: '1', dependencies: { 'pg-types': '1' } },
    'node_modules/pg/node_modules/pg-types': { version: '1' },
    'node_modules/pg-types': { version: '9' },
    'node_modules/ajv': { version: '1' },
    'node_modules/mocha': { version: '1' },
    ...over,
  };
  return {
    read(file) {
      if (file === 'package-lock.json') return JSON.stringify({ packages });
      const manifest = packages[file.replace(/\/package\.json$/, '')];
      return manifest === undefined ? null : JSON.stringify(manifest);
    },
  };
}

const changed = (files: readonly string[], after: Snapshot = snapshot('0.2.0')): Record<string, string[]> =>
  Object.fromEntries(
    changedImages(snapshot('0.1.0'), after, files).map(({ service, reasons }) => [service, [...reasons]]),
  );

describe('the images that changed', () => {
  it('are none when only versions, tests and documents changed', () => {
    const files = ['gateway/src/app.test.ts', 'gateway/test/app.ts', 'docs/money.md', 'gateway/package.json'];
    expect(changed([...files, 'service-kit/src/testing/index.ts', 'protos/placard/a.proto'])).to.deep.equal(
      {},
    );
  });

  it('are those of a service whose code changed', () => {
    expect(changed(['gateway/src/app.ts', 'events-service/migrations/009_add.sql'])).to.deep.equal({
      gateway: ['gateway/src/app.ts'],
      'events-service': ['events-service/migrations/009_add.sql'],
    });
  });

  it('are all when a shared package, its dependencies or the Dockerfile changed', () => {
    for (const file of ['service-kit/src/process/config.ts', 'deploy/images/Dockerfile'])
      expect(Object.keys(changed([file]))).to.have.members([...SERVICES]);
    const after = snapshot('0.2.0', { 'node_modules/pg/node_modules/pg-types': { version: '2' } });
    expect(changed([], after)['fraud-service']).to.deep.equal(['pg-types@1', 'pg-types@2']);
  });

  it('are those that need an external package that changed', () => {
    expect(changed([], snapshot('0.2.0', { 'node_modules/ajv': { version: '2' } }))).to.deep.equal({
      gateway: ['ajv@1', 'ajv@2'],
    });
    expect(changed([], snapshot('0.2.0', { 'node_modules/mocha': { version: '2' } }))).to.deep.equal({});
  });
});
