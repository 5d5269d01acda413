import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { allOf, find, nameOf, workloadsOf, type Manifest } from './kubernetes/manifests.js';
import { MANIFESTS_DIR, missingTool, renderDir } from './kubernetes/render.js';
import { versionFaults } from './kubernetes/rules/pods.js';

/** A release of one service alone. */
const RELEASE = '9.9.9';
/** The changes for a copy of `production` in docs/kubernetes.md: file, old text, new text. */
const CHANGES: readonly (readonly [file: string, before: string | RegExp, after: string])[] = [
  ['kustomization.yaml', 'namespace: placard', 'namespace: acme'],
  ['migrations/kustomization.yaml', 'namespace: placard', 'namespace: acme'],
  ['kustomization.yaml', 'ads.example.com', 'ads.acme.test'],
  ['kustomization.yaml', 'components/ingress', 'components/ingress\n  - ../../components/tracing'],
  [
    'kustomization.yaml',
    'replacements:',
    'configMapGenerator:\n  - {name: gateway, behavior: merge, literals: [COUNTRY_DB=/country.mmdb]}\nreplacements:',
  ],
  ['versions/kustomization.yaml', 'registry.example.com', 'registry.acme.test:5000'],
  [
    'versions/kustomization.yaml',
    'components/release',
    'components/release\n  - ../../../components/pull-secret',
  ],
  ['versions/versions.yaml', /events-service: \S+/, `events-service: ${RELEASE}`],
];

describe('environments in one cluster', () => {
  const rendered = new Map<string, readonly Manifest[]>();
  before(async function () {
    if ((await missingTool()) !== null) this.skip();
    const dir = await mkdtemp(path.join(tmpdir(), 'placard-environments-'));
    try {
      await cp(MANIFESTS_DIR, dir, { recursive: true });
      const overlays = path.join(dir, 'overlays');
      await cp(path.join(overlays, 'production'), path.join(overlays, 'acme'), { recursive: true });
      for (const [name, before, after] of CHANGES)
        await change(path.join(overlays, 'acme', name), before, after);
      for (const name of ['acme', 'production', 'staging', 'dev'])
        rendered.set(name, [
          ...(await renderDir(path.join(overlays, name))),
          ...(await renderDir(path.join(overlays, name, 'migrations'))),
        ]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('share no object and have their own hosts', () => {
    const objects = [...rendered.values()].flatMap((manifests) =>
      manifests.map(({ kind, metadata }) => `${metadata.namespace ?? ''}/${kind}/${metadata.name ?? ''}`),
    );
    expect(new Set(objects)).to.have.property('size', objects.length);
    expect(objects.filter((object) => object.startsWith('/'))).to.deep.equal([]);
    const hosts = [...rendered.values()].flatMap((manifests) =>
      allOf(manifests, 'Ingress').flatMap(({ spec }) => (spec?.rules ?? []).map(({ host }) => host)),
    );
    expect(new Set(hosts)).to.have.property('size', rendered.size);
  });

  it('can be made from a copy: namespace, host, registry with a port, its secret, releases, a setting, traces', () => {
    const manifests = rendered.get('acme') ?? [];
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).to.deep.equal(new Set(['acme']));
    expect(versionFaults(manifests)).to.deep.equal([]);
    for (const { name, pod } of workloadsOf(manifests)) {
      const service = name.replace('-migration', '').replace('settlement-worker', 'events-service');
      const image = pod.containers[0]?.image ?? '';
      expect(image).to.match(new RegExp(`^registry\\.acme\\.test:5000/placard/${service}:\\d`));
      expect(image.endsWith(`:${RELEASE}`), name).to.equal(service === 'events-service');
      const account = find(manifests, 'ServiceAccount', pod.serviceAccountName ?? '');
      expect(account?.imagePullSecrets, name).to.deep.equal([{ name: 'placard-registry' }]);
    }
    const settings = allOf(manifests, 'ConfigMap').map((map) => [nameOf(map), map.data] as const);
    expect(settings.find(([name]) => name.startsWith('gateway-'))?.[1]).to.include({
      COUNTRY_DB: '/country.mmdb',
    });
    for (const [name, data] of settings) expect(data, name).to.have.property('OTEL_EXPORTER_OTLP_ENDPOINT');
  });
});

async function change(file: string, before: string | RegExp, after: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = typeof before === 'string' ? text.replaceAll(before, after) : text.replace(before, after);
  expect(changed, `${file}: ${before}`).to.not.equal(text);
  await writeFile(file, changed);
}
