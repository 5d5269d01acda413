import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { SERVICES } from './contents.mjs';
import { commitAll, writeStandInDocker } from './stand-in-docker.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A stand-in for Docker's client that keeps what is built and pushed. Each base and each image has a digest. */
const DOCKER = `#!/bin/sh
case $1 in
  build) echo "build $*" >>"$ASKED" ;;
  push) echo "push $3" >>"$ASKED" ;;
  buildx) echo "$4@sha256:$(printf '%064d' 1)" ;;
  image) echo "\${5%:*}@sha256:$(printf '%064d' 2)" ;;
esac
`;

/** The first block of commands below a heading of docs/deploying.md. */
function blockBelow(heading: string): string {
  const page = readFileSync(path.join(ROOT, 'docs/deploying.md'), 'utf8');
  const [, block] = /```sh\n(.*?)```/s.exec(page.slice(page.indexOf(`\n${heading}\n`))) ?? [];
  if (block === undefined) throw new Error(`no block below ${heading}`);
  return block;
}

describe('the commands in docs/deploying.md that build and push images', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-documented-'));
    for (const file of ['package.json', ...SERVICES.map((service) => `${service}/package.json`)])
      cpSync(path.join(ROOT, file), path.join(dir, file));
    mkdirSync(path.join(dir, 'deploy/images'), { recursive: true });
    for (const file of ['build', 'push', 'Dockerfile'])
      cpSync(path.join(ROOT, 'deploy/images', file), path.join(dir, 'deploy/images', file));
    writeStandInDocker(dir, DOCKER);
    commitAll(dir);
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' }).trim();

  it('work as they stand there on a fresh clone, for every service', () => {
    const asked = path.join(dir, 'asked');
    const env = { PATH: `${path.join(dir, 'bin')}:${process.env['PATH'] ?? ''}`, ASKED: asked };
    const block = blockBelow('### Tags, and a registry');
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', block], {
      cwd: dir,
      env,
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
    const tag = git('rev-parse', '--short=12', 'HEAD');
    const images = SERVICES.map((service) => `registry.example.com/placard/${service}:${tag}`);
    const lines = readFileSync(asked, 'utf8').trim().split('\n');
    const built = lines.filter((line) => line.startsWith('build '));
    expect(built.map((line) => / -t (\S+) /.exec(line)?.[1])).to.deep.equal(images);
    for (const line of built) expect(line).to.match(/NODE_IMAGE=\S+@sha256:\S+ .*RUNTIME_IMAGE=\S+@sha256:/);
    expect(lines.filter((line) => line.startsWith('push '))).to.deep.equal(
      images.map((image) => `push ${image}`),
    );
    expect(stdout).to.contain('digest: sha256:');
  });
});
