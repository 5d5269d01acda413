import { cpSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { rootDir } from '../src/layout.js';

interface Bootstrap {
  readonly chooseNode: (root: string, env: NodeJS.ProcessEnv) => { readonly file: string };
  readonly isSupportedNode: (version: string) => boolean;
  readonly isInstalled: (root: string) => boolean;
  readonly isBuilt: (root: string) => boolean;
  readonly recordBuild: (root: string, fingerprint: string) => void;
  readonly fingerprintOf: (root: string) => string;
}

async function load(name: string): Promise<Bootstrap> {
  const file = path.join(rootDir, 'deploy', 'local', 'bootstrap', `${name}.mjs`);
  return (await import(file)) as Bootstrap;
}

describe('the Node.js that a start accepts', () => {
  const rows: readonly [string, boolean][] = [
    ['18.20.4', false],
    ['20.18.9', false],
    ['20.19.0', true],
    ['21.7.0', false],
    ['22.12.0', false],
    ['22.13.0', true],
    ['23.11.0', false],
    ['24.0.0', true],
    ['26.1.0', true],
  ];
  for (const [version, isSupported] of rows) {
    it(`${version} → ${isSupported ? 'yes' : 'no'}`, async () => {
      expect((await load('node-version')).isSupportedNode(version)).to.equal(isSupported);
    });
  }
});

describe('the Node.js that PLACARD_NODE chooses', () => {
  it('is the installed one, or one that must run here', async () => {
    const { chooseNode } = await load('node-choice');
    expect(chooseNode('/nowhere', { PLACARD_NODE: 'installed' }).file).to.equal(process.execPath);
    expect(() => chooseNode('/nowhere', { PLACARD_NODE: '/nowhere/node' })).to.throw(
      /^PLACARD_NODE: \/nowhere\/node is no Node\.js that runs here\. Name the path of one, .*leave it out\.$/,
    );
  });
});

describe('dependencies', () => {
  let dir = '';
  const write = (name: string, packages: object): void => {
    writeFileSync(path.join(dir, name), JSON.stringify({ packages }));
  };
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-install-'));
    mkdirSync(path.join(dir, 'node_modules'));
    write('package-lock.json', {
      '': {},
      gateway: {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    });
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('are installed when npm’s record has every version of the lock file', async () => {
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
    expect((await load('install')).isInstalled(dir)).to.equal(true);
  });

  it('are not installed when one is missing or older, or an optional one has another version', async () => {
    const { isInstalled } = await load('install');
    expect(isInstalled(dir)).to.equal(false);
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '0.9.0' } });
    expect(isInstalled(dir)).to.equal(false);
    write('node_modules/.package-lock.json', {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0' },
    });
    expect(isInstalled(dir)).to.equal(false);
  });
});

describe('the build', () => {
  it('is made again exactly when a source was changed, added or removed', async () => {
    const { isBuilt, recordBuild, fingerprintOf } = await load('build');
    const dir = mkdtempSync(path.join(tmpdir(), 'placard-build-'));
    const at = (name: string): string => path.join(dir, name);
    mkdirSync(at('one/src'), { recursive: true });
    mkdirSync(at('one/dist'));
    writeFileSync(at('package.json'), JSON.stringify({ workspaces: ['one', 'two'] }));
    for (const name of ['tsconfig.base.json', 'tsconfig.build.json', 'package-lock.json'])
      writeFileSync(at(name), '');
    for (const name of [
      'package.json',
      'tsconfig.build.json',
      'src/a.ts',
      'src/a.sql',
      'dist/.tsbuildinfo',
    ]) {
      writeFileSync(at(`one/${name}`), '');
    }
    expect(isBuilt(dir)).to.equal(false);
    recordBuild(dir, fingerprintOf(dir));
    expect(isBuilt(dir)).to.equal(true);
    writeFileSync(at('one/src/a.test.ts'), 'a test is not built');
    expect(isBuilt(dir)).to.equal(true);
    writeFileSync(at('one/src/a.sql'), 'SELECT 1');
    expect(isBuilt(dir)).to.equal(false);
    recordBuild(dir, fingerprintOf(dir));
    cpSync(at('one/src/a.ts'), at('one/src/b.ts'));
    expect(isBuilt(dir)).to.equal(false);
    unlinkSync(at('one/src/b.ts'));
    expect(isBuilt(dir)).to.equal(true);
    unlinkSync(at('one/dist/.tsbuildinfo'));
    expect(isBuilt(dir)).to.equal(false);
    rmSync(dir, { recursive: true });
  });
});
