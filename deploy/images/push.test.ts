import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { workloadsOf } from '../../tests/kubernetes/manifests.js';
import { MANIFESTS_DIR, missingTool, renderDir } from '../../tests/kubernetes/render.js';
import { SERVICES } from './contents.mjs';
import { writeStandInDocker } from './stand-in-docker.js';

/** A stand-in for Docker's client: a push keeps its argument, an image has the digests of two registries. */
const DOCKER = `#!/bin/sh
case $1 in
  push) echo "$3" >>"$ASKED"; [ -z "$REFUSE" ] || { echo denied >&2; exit 1; } ;;
  image)
    name=\${5%:*} service=\${name##*/}
    echo "other.example.com/x/$service@sha256:$(printf '%064d' 1)"
    echo "$name@sha256:$(printf '%s' "$service" | sha256sum | cut -c 1-64)"
    ;;
esac
`;
const PREFIX = 'registry.example.com:5000/placard/';

/** A kustomization of images. */
interface Images {
  readonly images: readonly { readonly name: string; readonly newName: string; readonly digest: string }[];
}

describe('deploy/images/push', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-push-'));
    writeStandInDocker(dir, DOCKER);
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  function push(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return spawnSync(fileURLToPath(new URL('push', import.meta.url)), args, {
      encoding: 'utf8',
      env: {
        PATH: `${path.join(dir, 'bin')}:${process.env['PATH'] ?? ''}`,
        ASKED: path.join(dir, 'asked'),
        ...env,
      },
    });
  }
  const asked = (): readonly string[] => readFileSync(path.join(dir, 'asked'), 'utf8').trim().split('\n');

  it('pushes every image and prints the digest that its own registry has', () => {
    const { status, stdout } = push(['--prefix', PREFIX, '--tag', '1.2.3']);
    expect(status).to.equal(0);
    expect(asked()).to.deep.equal(SERVICES.map((service) => `${PREFIX}${service}:1.2.3`));
    const { images } = parse(stdout) as Images;
    expect(images.map(({ name, newName }) => [name, newName])).to.deep.equal(
      SERVICES.map((service) => [`placard/${service}`, `${PREFIX}${service}`]),
    );
    expect(new Set(images.map(({ digest }) => digest)).size).to.equal(SERVICES.length);
    for (const { digest } of images) expect(digest).to.match(/^sha256:(?!0{63}1)[0-9a-f]{64}$/);
  });

  it('prints nothing when the registry refuses an image', () => {
    const { status, stdout, stderr } = push(['--prefix', PREFIX, '--tag', '1.2.3'], { REFUSE: 'yes' });
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.contain(`${PREFIX}gateway:1.2.3 could not be pushed`);
  });

  it('asks for a prefix, a tag and known services', () => {
    expect(push([]).stderr).to.contain('Give --prefix and --tag.');
    expect(push(['--prefix', PREFIX, '--tag', '1', 'nonsense']).stderr).to.contain(
      'There is no service nonsense.',
    );
  });

  it('prints what makes every pod of an environment run the image with that digest', async function () {
    if ((await missingTool()) !== null) this.skip();
    const { images } = parse(push(['--prefix', PREFIX, '--tag', '1.2.3']).stdout) as Images;
    cpSync(MANIFESTS_DIR, path.join(dir, 'k8s'), { recursive: true });
    const overlay = path.join(dir, 'k8s/overlays/production');
    const file = path.join(overlay, 'versions/kustomization.yaml');
    writeFileSync(file, stringify({ ...(parse(readFileSync(file, 'utf8')) as object), images }));
    const rendered = [...(await renderDir(overlay)), ...(await renderDir(path.join(overlay, 'migrations')))];
    const workloads = workloadsOf(rendered);
    expect(workloads.length).to.be.greaterThan(SERVICES.length);
    for (const { name, pod } of workloads) {
      const service = name.replace('-migration', '').replace('settlement-worker', 'events-service');
      const digest = images.find(({ newName }) => newName === `${PREFIX}${service}`)?.digest;
      expect(pod.containers[0]?.image, name).to.equal(`${PREFIX}${service}@${digest ?? ''}`);
    }
  });
});
