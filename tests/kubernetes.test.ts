import { services } from '@placard/local';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SERVICES } from '../deploy/images/contents.mjs';
import { CALLERS } from '../service-kit/src/grpc/access/callers.js';
import {
  allOf,
  find,
  nameOf,
  workloadsOf,
  type Fault,
  type Manifest,
  type Rule,
  type Workload,
} from './kubernetes/manifests.js';
import { plantedFaults } from './kubernetes/planted-faults.js';
import { missingTool, render, renderWith } from './kubernetes/render.js';
import { certificateFaults, storeTlsFaults } from './kubernetes/rules/certificates.js';
import { networkFaults, serviceFaults } from './kubernetes/rules/network.js';
import {
  entryFaults,
  imageFaults,
  labelFaults,
  privilegeFaults,
  probeFaults,
  selectorFaults,
  versionFaults,
} from './kubernetes/rules/pods.js';
import { queueFaults, rolloutFaults, scalingFaults } from './kubernetes/rules/scaling.js';
import { scrapeFaults } from './kubernetes/rules/scraping.js';
import { portFaults, secretFaults, settingFaults, volumeFaults } from './kubernetes/rules/settings.js';
import { schemaFaults } from './kubernetes/schema.js';

const OWNERS = ['console-service', 'events-service', 'fraud-service'];
const BASES = [
  ...SERVICES.map((service) => `base/${service}`),
  ...OWNERS.map((owner) => `base/${owner}/migration`),
];
const ENVIRONMENTS = ['dev', 'staging', 'production'];
const OVERLAYS = ENVIRONMENTS.flatMap((name) => [`overlays/${name}`, `overlays/${name}/migrations`]);
/** Optional components, and the environments that test them. */
const OPTIONS = [
  ['worker-by-queue', 'overlays/production'],
  ['worker-by-queue', 'overlays/staging'],
  ['tracing', 'overlays/production'],
  ['store-authorities', 'overlays/production'],
  ['store-authorities', 'overlays/production/migrations'],
  ['gateway-api', 'overlays/production'],
  ['external-secrets', 'overlays/production'],
  ['external-secrets', 'overlays/staging'],
  ['canary', 'overlays/production'],
  ['pull-secret', 'overlays/production'],
  ['pull-secret', 'overlays/production/migrations'],
] as const;
const OPTION_NAMES = OPTIONS.map(([component, overlay]) => `${component} on ${overlay}`);
const SECONDS_MAX = 60;
/** Each takes a process of its own, and is given up after a while. */
const RENDERINGS_AT_ONCE = 4;
const DOCUMENT = readFileSync(new URL('../docs/kubernetes.md', import.meta.url), 'utf8');
/** The document without its line ends. */
const SENTENCES = DOCUMENT.replaceAll(/\s+/g, ' ');

/** Rules that each service must pass alone. */
const OWN_RULES: Readonly<Record<string, Rule>> = {
  'no container has privileges, and each has requests and limits': privilegeFaults,
  'every process is probed for start, life and readiness': probeFaults,
  'containers run programs of their images, as the user of the image': entryFaults,
  'selectors select the right pods, and pods are spread': selectorFaults,
  'every object has the label of its service': labelFaults,
  'every setting is read by its process, is valid, and is set or documented': settingFaults,
  'secrets are references': secretFaults,
  'ports are those on which the processes listen': portFaults,
  'Prometheus finds each process once, with the labels of the rules': scrapeFaults,
  'pods can write only where their code does': volumeFaults,
  'each Deployment has one suitable scaler and disruption budget': scalingFaults,
  'a pod has enough time to stop, and rollouts keep all pods': rolloutFaults,
};

/** Rules over all services together. */
const WHOLE_RULES: Readonly<Record<string, Rule>> = {
  'exactly the network paths that the code uses are allowed': networkFaults,
  'Services and the Ingress lead to open ports, and gRPC can be balanced': serviceFaults,
  'images are those of a release': imageFaults,
  'the labels of each pod name its release': versionFaults,
};

describe('the manifests for Kubernetes', () => {
  const renderings = new Map<string, readonly Manifest[]>();
  before(async function () {
    this.timeout(SECONDS_MAX * 1_000);
    const missing = await missingTool();
    if (missing !== null) {
      if (process.env['CI'] === 'true') throw new Error(`The manifests cannot be checked: ${missing}.`);
      process.stdout.write(`The manifests are not checked: ${missing}.\n`);
      this.skip();
    }
    const jobs: (readonly [name: string, make: () => Promise<readonly Manifest[]>])[] = [
      ...[...BASES, ...OVERLAYS].map((folder) => [folder, () => render(folder)] as const),
      ...OPTIONS.map(
        ([component, overlay]) =>
          [`${component} on ${overlay}`, () => renderWith(overlay, `components/${component}`)] as const,
      ),
    ];
    const work = async (): Promise<void> => {
      for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) renderings.set(job[0], await job[1]());
    };
    await Promise.all(Array.from({ length: RENDERINGS_AT_ONCE }, work));
  });

  const together = (): readonly (readonly [string, readonly Manifest[]])[] => [
    ...ENVIRONMENTS.map((name) => {
      const folder = `overlays/${name}`;
      return [folder, [...manifestsOf(folder), ...manifestsOf(`${folder}/migrations`)]] as const;
    }),
    ...OPTION_NAMES.map((name) => [name, manifestsOf(name)] as const),
  ];
  const manifestsOf = (name: string): readonly Manifest[] => renderings.get(name) ?? [];

  it('render, each base alone and each environment', () => {
    for (const [name, manifests] of renderings) expect(manifests, name).to.not.be.empty;
    expect([...renderings.keys()]).to.have.members([...BASES, ...OVERLAYS, ...OPTION_NAMES]);
  });

  it('match the schemas of Kubernetes, with no unknown field', () => {
    const all = [...renderings.values()].flat();
    const distinct = new Map(all.map((manifest) => [JSON.stringify(manifest), manifest]));
    expectNone(schemaFaults([...distinct.values()]));
  }).timeout(SECONDS_MAX * 1_000);

  for (const [title, rule] of Object.entries(OWN_RULES)) {
    it(title, () => {
      expectNone([...renderings].flatMap(([name, manifests]) => faultsIn(name, rule, manifests)));
    });
  }
  for (const [title, rule] of Object.entries(WHOLE_RULES)) {
    it(title, () => {
      expectNone(together().flatMap(([name, manifests]) => faultsIn(name, rule, manifests)));
    });
  }

  it('give the queue scaler the namespace and the pods of its environment', () => {
    for (const overlay of ['overlays/production', 'overlays/staging'])
      expectNone(queueFaults(manifestsOf(overlay), manifestsOf(`worker-by-queue on ${overlay}`)));
    const faults = queueFaults(
      manifestsOf('overlays/production'),
      manifestsOf('worker-by-queue on overlays/staging'),
    );
    expect(faults, 'the faults in another environment').to.have.length(3);
  });

  describe('with TLS between the services', () => {
    let secured: readonly Manifest[];
    before(() => {
      secured = manifestsOf('overlays/production');
    });

    it('match the schemas', () => {
      expectNone(schemaFaults(secured));
    }).timeout(SECONDS_MAX * 1_000);

    it('give each service its own certificate by name, require it, and describe no contracts', () => {
      expectNone(certificateFaults(secured, SERVICES));
    });

    it('let no process, worker or migration reach a store without TLS', () => {
      const migrations = manifestsOf('overlays/production/migrations');
      expectNone(storeTlsFaults([...secured, ...migrations]));
      expect(storeTlsFaults(manifestsOf('overlays/staging'))).to.have.length(6);
    });

    it('have certificates for the services and for operators, and for nobody else', () => {
      const named = allOf(secured, 'Certificate').flatMap(({ spec }) => spec.dnsNames?.[0] ?? []);
      expect(named).to.have.members([...CALLERS]);
    });

    it('probe readiness without a certificate, which the kubelet does not have', () => {
      const probes = SERVICES.map(
        (name) => find(secured, 'Deployment', name)?.spec?.template.spec?.containers[0],
      );
      for (const container of probes) {
        expect(container?.readinessProbe?.httpGet?.path, container?.name).to.equal('/readyz');
        expect(container?.readinessProbe?.grpc, container?.name).to.equal(undefined);
      }
    });

    for (const [title, plant, fault] of [
      [
        'a certificate of another service',
        (manifests: readonly Manifest[]) => {
          find(manifests, 'Certificate', 'fraud-service')!.spec.dnsNames = ['serving-service'];
        },
        'Deployment fraud-service: its certificate has another name',
      ],
      [
        'a certificate that is not mounted',
        (manifests: readonly Manifest[]) => {
          find(manifests, 'Deployment', 'gateway')!.spec!.template.spec!.volumes = [];
        },
        'Deployment gateway: has no certificate',
      ],
      [
        'an issuer that does not exist',
        (manifests: readonly Manifest[]) => {
          find(manifests, 'Issuer', 'placard')!.metadata!.name = 'other';
        },
        'Certificate gateway: its issuer does not exist',
      ],
    ] as const)
      it(`let a planted fault be found: ${title}`, () => {
        const manifests = structuredClone(secured);
        plant(manifests);
        expect(certificateFaults(manifests, SERVICES)).to.include(fault);
      });
  });

  it('give every process that reads the URL of a store the authorities of its certificate', () => {
    for (const overlay of ['overlays/production', 'overlays/production/migrations'])
      for (const { name, pod } of workloadsOf(manifestsOf(`store-authorities on ${overlay}`))) {
        const env = pod.containers[0]?.env ?? [];
        const has = (setting: string): boolean => env.some((one) => one.name === setting);
        expect(has('DATABASE_CA_FILE'), name).to.equal(has('DATABASE_URL'));
        expect(has('REDIS_CA_FILE'), name).to.equal(has('REDIS_URL'));
      }
  });

  it('make with External Secrets exactly the Secrets and keys that pods use, in their namespace', () => {
    for (const overlay of ['overlays/production', 'overlays/staging']) {
      const manifests = manifestsOf(`external-secrets on ${overlay}`);
      const made = allOf(manifests, 'ExternalSecret').map(({ metadata, spec }) => {
        expect(metadata?.namespace).to.equal(manifests[0]?.metadata.namespace);
        const [{ secretKey, remoteRef } = { secretKey: '', remoteRef: null }] = spec.data;
        expect(remoteRef).to.deep.equal({ key: spec.target.name, property: secretKey });
        return `${spec.target.name} ${secretKey}`;
      });
      expect(made).to.have.members([...new Set(workloadsOf(manifests).flatMap(usedSecrets))]);
    }
  });

  it('publish through the Gateway API what the Ingress publishes', () => {
    const route = find(manifestsOf('gateway-api on overlays/production'), 'HTTPRoute', 'gateway');
    const ingress = find(manifestsOf('overlays/production'), 'Ingress', 'gateway');
    const [rule] = ingress?.spec?.rules ?? [];
    expect(route?.spec.hostnames).to.deep.equal([rule?.host]);
    expect(route?.metadata?.namespace).to.equal(ingress?.metadata?.namespace);
    const paths = route?.spec.rules.flatMap(({ matches }) => matches.map(({ path }) => path)) ?? [];
    expect(paths.map(({ type, value }) => `${type.replace('Path', '')} ${value}`)).to.deep.equal(
      rule?.http?.paths.map(({ pathType, path }) => `${pathType} ${path ?? ''}`),
    );
    expect(allOf(manifestsOf('gateway-api on overlays/production'), 'Ingress')).to.deep.equal([]);
  });

  it('judge a canary by the objectives of its environment, in templates that exist', () => {
    const manifests = manifestsOf('canary on overlays/production');
    const [rollout] = allOf(manifests, 'Rollout');
    const asked = rollout?.spec.strategy.canary.steps.flatMap((step) =>
      'analysis' in step ? step.analysis.templates.map(({ templateName }) => templateName) : [],
    );
    expect(new Set(asked)).to.deep.equal(new Set(allOf(manifests, 'AnalysisTemplate').map(nameOf)));
    const namespace = find(manifests, 'Deployment', 'gateway')?.metadata?.namespace ?? '';
    for (const { metadata, spec } of allOf(manifests, 'AnalysisTemplate')) {
      expect(metadata?.namespace).to.equal(namespace);
      for (const { provider } of spec.metrics)
        expect(provider.prometheus.query.split(`{namespace="${namespace}"`)).to.have.length(4);
    }
  });

  it('let every ServiceAccount, including those of migrations, pull images with the secret of the registry', () => {
    const accounts = ['overlays/production', 'overlays/production/migrations'].flatMap((overlay) =>
      allOf(manifestsOf(`pull-secret on ${overlay}`), 'ServiceAccount'),
    );
    expect(accounts).to.have.length(services.length + OWNERS.length);
    for (const { imagePullSecrets } of accounts)
      expect(imagePullSecrets).to.deep.equal([{ name: 'placard-registry' }]);
  });

  it('have the numbers of pods and of connections to Postgres that docs/kubernetes.md gives', () => {
    const ranges = new Map(
      rangesByName(manifestsOf('overlays/staging')).map(({ name, min, max }) => [name, `${min}–${max}`]),
    );
    let [fewest, most] = [0, 0];
    for (const { name, min, max } of rangesByName(manifestsOf('overlays/production'))) {
      const row = new RegExp(
        `^\\| ${name.replace('-worker', ' worker')} \\| (\\S+ \\S+) \\|.*\\| (.*) \\|$`,
        'm',
      ).exec(DOCUMENT);
      expect(row?.[1], name).to.equal(`${ranges.get(name)} (${min}–${max})`);
      const connections = Number(/(\d+) connections a pod/.exec(row?.[2] ?? '')?.[1] ?? 0);
      fewest += min * connections;
      most += max * connections;
    }
    expect(SENTENCES).to.contain(`are ${fewest} with the fewest pods and ${most} with the most`);
    expect(SENTENCES).to.contain(
      `${fewest} with its fewest pods, ${2 * fewest} while all of those roll out, ${most} with its most`,
    );
  });

  describe('let a planted fault be found:', () => {
    let sound: readonly Manifest[];
    before(() => {
      sound = [...manifestsOf('overlays/production'), ...manifestsOf('overlays/production/migrations')];
    });
    for (const { title, plant, rule, fault } of plantedFaults) {
      it(title, () => {
        const manifests = structuredClone(sound) as Manifest[];
        plant(manifests);
        expect(rule(manifests).join('\n')).to.contain(fault);
      });
    }

    it('an unknown or missing field, or one of a wrong type', () => {
      const manifests = structuredClone(
        sound.filter(({ kind }) => kind === 'Deployment'),
      ) as unknown as Record<'spec', Record<string, unknown>>[];
      manifests[0]!.spec['replicaz'] = 2;
      delete manifests[1]!.spec['selector'];
      manifests[2]!.spec['minReadySeconds'] = '5';
      const faults = schemaFaults(manifests as unknown as Manifest[]);
      expect(faults).to.have.length(3);
      expect(faults[0]).to.match(/replicaz.* does not exist/);
      expect(faults[1]).to.contain("'selector' is missing");
      expect(faults[2]).to.contain("'string' is not assignable to type 'number'");
    });

    it('a kind of an unknown version', () => {
      const [manifest] = sound;
      expect(schemaFaults([{ ...manifest!, apiVersion: 'apps/v1beta1' }])[0]).to.contain('is not known');
    });
  });
});

/** The Secrets that a pod uses, each with its key, without its certificate. A mounted one holds a key ring. */
function usedSecrets({ pod }: Workload): readonly string[] {
  const inEnv = pod.containers.flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) => {
      const { name = '', key } = valueFrom?.secretKeyRef ?? {};
      return key === undefined ? [] : [`${name} ${key}`];
    }),
  );
  const mounted = (pod.volumes ?? [])
    .filter(({ name }) => name !== 'tls')
    .flatMap(({ secret }) => secret?.secretName ?? []);
  return [...inEnv, ...mounted.map((name) => `${name} ring`)];
}

function rangesByName(manifests: readonly Manifest[]) {
  return allOf(manifests, 'HorizontalPodAutoscaler').map((scaler) => ({
    name: scaler.metadata?.name ?? '',
    min: scaler.spec?.minReplicas ?? 1,
    max: scaler.spec?.maxReplicas ?? 0,
  }));
}

function faultsIn(name: string, rule: Rule, manifests: readonly Manifest[]): readonly Fault[] {
  return rule(manifests).map((fault) => `${name}: ${fault}`);
}

function expectNone(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n  ${faults.join('\n  ')}`);
}
