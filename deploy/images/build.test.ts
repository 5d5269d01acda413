import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commitAll, writeStandInDocker } from './stand-in-docker.js';

/** A stand-in for Docker's client that keeps the arguments of builds. */
const DOCKER = '#!/bin/sh\n[ "$1" != build ] || echo "$*" >"$ASKED"\n';

/** Options with a digest for each base image. */
const PINNED = [
  '--node-image',
  `node:24@sha256:${'a'.repeat(64)}`,
  '--runtime-image',
  `base@sha256:${'b'.repeat(64)}`,
] as const;

/** Versions by folder: fraud-service did not change in the last release. */
const VERSIONS = { '.': '1.2.3', gateway: '1.2.3', 'fraud-service': '1.1.0' };

describe('deploy/images/build', () => {
  let dir: string;
  let commit: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-build-'));
    mkdirSync(path.join(dir, 'deploy/images'), { recursive: true });
    for (const file of ['build', 'Dockerfile'])
      cpSync(fileURLToPath(new URL(file, import.meta.url)), path.join(dir, 'deploy/images', file));
    for (const [folder, version] of Object.entries(VERSIONS)) {
      mkdirSync(path.join(dir, folder), { recursive: true });
      const manifest = `{\n  "version": "${version}",\n  "private": true\n}\n`;
      writeFileSync(path.join(dir, folder, 'package.json'), manifest);
    }
    writeStandInDocker(dir, DOCKER);
    commitAll(dir);
    commit = git('rev-parse', 'HEAD').trim();
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' });

  /** Tag, version label and revision label of the last built image, or the printed message. */
  const build = (...args: readonly string[]): string => buildServices(['gateway'], ...args);
  function buildServices(services: readonly string[], ...args: readonly string[]): string {
    const asked = path.join(dir, 'asked');
    const env = { PATH: `${path.join(dir, 'bin')}:${process.env['PATH'] ?? ''}`, ASKED: asked };
    const script = path.join(dir, 'deploy/images/build');
    const { status, stderr } = spawnSync(script, [...services, ...args], { env, encoding: 'utf8' });
    if (status !== 0) return stderr.trim();
    const parts = /VERSION=(\S+) --build-arg REVISION=(\S+) .* -t placard\/[a-z-]+:(\S+)/.exec(
      readFileSync(asked, 'utf8'),
    );
    const [, version, revision, tag] = parts ?? [];
    return `${tag} ${version} ${revision}`;
  }

  it('tags images with the release only when the tree is that of the release’s tag', () => {
    const short = `1.2.3-${commit.slice(0, 12)}`;
    expect(build()).to.equal(`${short} ${short} ${commit}`);
    git('tag', 'v1.2.3');
    expect(build(...PINNED)).to.equal(`1.2.3 1.2.3 ${commit}`);
    expect(build('--tag', '1.2.3', ...PINNED)).to.equal(`1.2.3 1.2.3 ${commit}`);
  });

  it('builds a release on bases with a digest alone, and passes them to the engine', () => {
    git('tag', 'v1.2.3');
    const refusal =
      /^deploy\/images\/build: The base image \S+ of a release has no digest\. Give --node-image and /;
    expect(build()).to.match(refusal).and.to.contain('docker.io/library/node:24.');
    expect(build('--node-image', PINNED[1]))
      .to.match(refusal)
      .and.to.contain('gcr.io/distroless/cc-debian12');
    expect(build('--node-image', PINNED[1], '--runtime-image', 'b@sha256:12')).to.match(refusal);
    expect(existsSync(path.join(dir, 'asked'))).to.equal(false);
    build(...PINNED);
    expect(readFileSync(path.join(dir, 'asked'), 'utf8')).to.contain(
      `--build-arg NODE_IMAGE=${PINNED[1]} --build-arg RUNTIME_IMAGE=${PINNED[3]} `,
    );
  });

  it('tags the image of a service that did not change in the release with the version that it kept', () => {
    expect(buildServices(['fraud-service'])).to.match(/^1\.1\.0-[0-9a-f]{12} /);
    git('tag', 'v1.2.3');
    expect(buildServices(['fraud-service'], ...PINNED)).to.equal(`1.1.0 1.1.0 ${commit}`);
    rmSync(path.join(dir, 'asked'));
    expect(buildServices(['gateway', 'fraud-service'], '--tag', '1.2.3')).to.contain(
      'fraud-service of this tree is 1.1.0 and not 1.2.3.',
    );
    expect(existsSync(path.join(dir, 'asked'))).to.equal(false);
  });

  it('marks images of a tree with changes, and gives them no tag of a release', () => {
    git('tag', 'v1.2.3');
    writeFileSync(path.join(dir, 'new.ts'), '');
    const dirty = `1.2.3-${commit.slice(0, 12)}-dirty`;
    expect(build()).to.equal(`${dirty} ${dirty} ${commit}-dirty`);
    expect(build('--tag', 'mine')).to.equal(`mine ${dirty} ${commit}-dirty`);
    expect(build('--tag', '1.2.3')).to.contain(`gateway of this tree is ${dirty} and not 1.2.3.`);
    expect(build('--tag', 'v1.2.4')).to.contain('Check out that release without changes');
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
