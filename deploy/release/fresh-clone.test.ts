import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { SERVICES } from '../images/contents.mjs';
import { contractsFile, readReleases } from './releases.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [{ version, commit }] = readReleases(ROOT);
const NEXT = '999.0.0';

// The commands of docs/deploying.md, in a clone as others make it. The tag of the last release may be missing there.
describe('npm run release, in a fresh clone', () => {
  let dir: string;
  let clone: string;
  /** A folder with a stand-in for npm, whose checks take minutes and pass. */
  let withoutNpm: string;

  before('the repository is cloned', () => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-clone-'));
    withoutNpm = path.join(dir, 'bin');
    mkdirSync(withoutNpm);
    writeFileSync(path.join(withoutNpm, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
    makeClone('whole');
  });
  beforeEach(() => {
    clone = path.join(dir, 'whole');
    git('switch', '--quiet', 'main');
    for (const tag of git('tag')
      .split('\n')
      .filter((name) => name !== ''))
      git('tag', '--delete', tag);
  });
  after(() => rmSync(dir, { recursive: true }));

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', stdio: 'pipe' }).trimEnd();

  /** Clones the repository without tags, with the release command of this tree and the packages that are installed here. */
  function makeClone(name: string, ...options: readonly string[]): void {
    clone = path.join(dir, name);
    execFileSync('git', ['clone', '--quiet', '--no-tags', ...options, `file://${ROOT}`, clone], {
      stdio: 'pipe',
    });
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    git('switch', '--quiet', '--force-create', 'main');
    cpSync(path.join(ROOT, 'deploy/release'), path.join(clone, 'deploy/release'), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
    appendFileSync(path.join(clone, '.git/info/exclude'), 'node_modules\n');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'the tree of the test');
  }

  function release(...args: readonly string[]): { readonly status: number | null; readonly text: string } {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'release', '--', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });
    return { status, text: `${stdout}${stderr}` };
  }

  const skipWithoutHistory = (context: Mocha.Context): void => {
    const { status } = spawnSync('git', ['-C', ROOT, 'cat-file', '-e', `${commit}^{commit}`]);
    if (status !== 0) context.skip();
  };

  it('shows the changed images without the tag of the last release, and says where that belongs', function () {
    skipWithoutHistory(this);
    const { status, text } = release(NEXT, '--dry-run');
    expect(status, text).to.equal(0);
    expect(text).to.match(
      new RegExp(`^The tag v${version} is missing here. It belongs on [0-9a-f]{40}\\.$`, 'm'),
    );
    for (const service of SERVICES)
      expect(text).to.match(new RegExp(`^  ${service}: (stays \\S+$|\\S+ → ${NEXT}: .)`, 'm'));
    expect(text).to.contain(`Version ${NEXT} can be released from `);
    expect(git('tag')).to.equal('');
  });

  it('makes the missing tag on the commit of the release, which can then be checked out as documented', function () {
    skipWithoutHistory(this);
    expect(release('--tag-last').text).to.contain(`The tag v${version} was missing: it is now on `);
    expect(git('cat-file', '-t', `v${version}`)).to.equal('tag');
    expect(git('rev-parse', `v${version}^{commit}~1`)).to.equal(commit);
    const { status, text } = release(NEXT, '--dry-run');
    expect(status, text).to.equal(0);
    expect(text).not.to.contain('is missing here');
    expect(release('--tag-last').text).to.equal(`The tag v${version} is there.\n`);
    git('checkout', '--quiet', `v${version}`);
    expect(versionOf('.')).to.equal(version);
  });

  it('raises a service only when its image changed, and records the last two releases', function () {
    skipWithoutHistory(this);
    makeClone('releasing');
    makeRelease('999.0.0', 'docs/money.md');
    const before = serviceVersions();
    expect(makeRelease('999.1.0', 'gateway/src/app.ts')).to.match(/build --tag 999\.1\.0 gateway\n$/);
    expect(serviceVersions()).to.deep.equal({ ...before, gateway: '999.1.0' });
    expect(versionOf('.')).to.equal('999.1.0');
    expect(versionOf('service-kit')).to.equal('999.1.0');
    const releases = readReleases(clone);
    expect(releases.map((each) => each.version)).to.deep.equal(['999.1.0', '999.0.0']);
    expect(git('ls-files', contractsFile('*')).split('\n')).to.have.members(
      releases.map((each) => contractsFile(each.version)),
    );
    expect(git('rev-parse', 'v999.1.0^{commit}~1')).to.equal(releases[0].commit);
    expect(git('status', '--porcelain')).to.equal('');
  });

  /** Changes a file and the changelog, and makes a release without its checks; returns what the command prints. */
  function makeRelease(next: string, file: string): string {
    appendFileSync(path.join(clone, file), '\n');
    const changelog = path.join(clone, 'CHANGELOG.md');
    const text = readFileSync(changelog, 'utf8');
    writeFileSync(changelog, text.replace('## Unreleased\n', '## Unreleased\n\n- A change.\n'));
    git('commit', '--quiet', '--all', '--message', `change ${file}`);
    const env = { ...process.env, PATH: `${withoutNpm}:${process.env['PATH'] ?? ''}` };
    const script = ['--import', 'tsx', 'deploy/release/release.ts', next, '--tests-passed'];
    return execFileSync(process.execPath, script, { cwd: clone, encoding: 'utf8', env });
  }

  const versionOf = (folder: string): string =>
    (JSON.parse(readFileSync(path.join(clone, folder, 'package.json'), 'utf8')) as { version: string })
      .version;
  const serviceVersions = (): Readonly<Record<string, string>> =>
    Object.fromEntries(SERVICES.map((service) => [service, versionOf(service)]));

  it('refuses the version of the last release, with or without its tag', function () {
    skipWithoutHistory(this);
    const refusal = `release: ${version} is not higher than ${version}, the last release\n`;
    expect(release(version, '--dry-run')).to.deep.equal({ status: 1, text: refusal });
    release('--tag-last');
    expect(release(version, '--dry-run')).to.deep.equal({ status: 1, text: refusal });
  });

  it('asks for the whole history in a shallow clone', () => {
    makeClone('shallow', '--depth', '1');
    const { status, text } = release(NEXT, '--dry-run');
    expect(status).to.equal(1);
    expect(text).to.equal(
      `release: this clone lacks the commit of the release ${version}; ` +
        'fetch the whole history: git fetch --unshallow\n',
    );
  });
});
