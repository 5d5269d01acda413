import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/** A stand-in for Docker's client that keeps the arguments of builds. */
const DOCKER = '#!/bin/sh\n[ "$1" != build ] || echo "$*" >"$ASKED"\n';

describe('deploy/images/build', () => {
  let dir: string;
  let commit: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-build-'));
    mkdirSync(path.join(dir, 'deploy/images'), { recursive: true });
    cpSync(fileURLToPath(new URL('build', import.meta.url)), path.join(dir, 'deploy/images/build'));
    writeFileSync(path.join(dir, 'package.json'), '{\n  "version": "1.2.3",\n  "private": true\n}\n');
    writeFileSync(path.join(dir, '.gitignore'), 'bin/\nasked\n');
    mkdirSync(path.join(dir, 'bin'));
    writeFileSync(path.join(dir, 'bin/docker'), DOCKER);
    chmodSync(path.join(dir, 'bin/docker'), 0o755);
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'all');
    commit = git('rev-parse', 'HEAD').trim();
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' });

  /** Tag, version label and revision label of the built image, or the printed message. */
  function build(...args: readonly string[]): string {
    const asked = path.join(dir, 'asked');
    const env = { PATH: `${path.join(dir, 'bin')}:${process.env['PATH'] ?? ''}`, ASKED: asked };
    const script = path.join(dir, 'deploy/images/build');
    const { status, stderr } = spawnSync(script, ['gateway', ...args], { env, encoding: 'utf8' });
    if (status !== 0) return stderr.trim();
    const parts = /VERSION=(\S+) --build-arg REVISION=(\S+) -t placard\/gateway:(\S+)/.exec(
      readFileSync(asked, 'utf8'),
    );
    const [, version, revision, tag] = parts ?? [];
    return `${tag} ${version} ${revision}`;
  }

  it('tags images with the release only when the tree is that of the release’s tag', () => {
    const short = `1.2.3-${commit.slice(0, 12)}`;
    expect(build()).to.equal(`${short} ${short} ${commit}`);
    git('tag', 'v1.2.3');
    expect(build()).to.equal(`1.2.3 1.2.3 ${commit}`);
    expect(build('--tag', '1.2.3')).to.equal(`1.2.3 1.2.3 ${commit}`);
  });

  it('marks images of a tree with changes, and gives them no tag of a release', () => {
    git('tag', 'v1.2.3');
    writeFileSync(path.join(dir, 'new.ts'), '');
    const dirty = `1.2.3-${commit.slice(0, 12)}-dirty`;
    expect(build()).to.equal(`${dirty} ${dirty} ${commit}-dirty`);
    expect(build('--tag', 'mine')).to.equal(`mine ${dirty} ${commit}-dirty`);
    expect(build('--tag', '1.2.3')).to.contain(`The tree is ${dirty} and not the release 1.2.3.`);
    expect(build('--tag', 'v1.2.4')).to.contain('Check out the tag v1.2.4 without changes');
  });

  it('refuses a tag and a prefix that no image can have before it builds anything', () => {
    for (const tag of ['bad/tag', '.x', '-x', 'a b', 'x'.repeat(129)])
      expect(build('--tag', tag)).to.match(/^deploy\/images\/build: --tag .*: must be 1 to 128 .* --help$/);
    for (const prefix of ['BAD!', 'a b/', '/placard/', 'a//b/', 'registry.example.com/Placard/'])
      expect(build('--prefix', prefix)).to.match(
        /^deploy\/images\/build: --prefix .*: must be a path .* --help$/,
      );
    expect(existsSync(path.join(dir, 'asked'))).to.equal(false);
    for (const prefix of ['registry.example.com:5000/my/ads-', 'Registry.example.com/placard/', 'x/y/']) {
      build('--prefix', prefix);
      expect(readFileSync(path.join(dir, 'asked'), 'utf8')).to.contain(` -t ${prefix}gateway:`);
    }
  });
});
