import { environmentOf } from '../environment.js';
import { allOf, containersOf, find, nameOf, workloadsOf, type Fault, type Manifest } from '../manifests.js';

const FOLDER = '/etc/placard/tls';
/** What every process with a certificate has set. */
const SETTINGS: Readonly<Record<string, string>> = {
  TLS_CERT_FILE: `${FOLDER}/tls.crt`,
  TLS_KEY_FILE: `${FOLDER}/tls.key`,
  TLS_CA_FILE: `${FOLDER}/ca.crt`,
  REQUIRE_TLS: '1',
  GRPC_REFLECTION: '0',
};

/** Faults of TLS to the stores: each process that reads the URL of one must refuse a URL without TLS. */
export function storeTlsFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests)
    .flatMap((workload) => containersOf(workload))
    .flatMap(({ where, container }) => {
      const { values } = environmentOf(manifests, where, container);
      const reads = ['DATABASE_URL', 'REDIS_URL'].some((setting) => values[setting] !== undefined);
      return reads && values['REQUIRE_TLS'] !== '1' ? [`${where}: REQUIRE_TLS is not 1`] : [];
    });
}

/**
 * Faults of TLS between services: each process of `names` must have the settings of TLS, no reflection, and its own
 * certificate, whose first name is its own. Each certificate must have an issuer that exists.
 */
export function certificateFaults(
  manifests: readonly Manifest[],
  names: readonly string[],
): readonly Fault[] {
  const pods = names.flatMap((name) => podFaults(manifests, name));
  const issuers = allOf(manifests, 'Certificate')
    .filter(({ spec }) => find(manifests, 'Issuer', spec.issuerRef.name) === undefined)
    .map((one) => `Certificate ${nameOf(one)}: its issuer does not exist`);
  return [...pods, ...issuers];
}

function podFaults(manifests: readonly Manifest[], name: string): readonly Fault[] {
  const workload = workloadsOf(manifests).find((one) => one.name === name);
  const secret = workload?.pod.volumes?.find((one) => one.name === 'tls')?.secret?.secretName;
  const certificate = allOf(manifests, 'Certificate').find(({ spec }) => spec.secretName === secret);
  if (workload === undefined || certificate === undefined) return [`Deployment ${name}: has no certificate`];
  const settings = containersOf(workload).flatMap(({ where, container }) => {
    const { values } = environmentOf(manifests, where, container);
    const mount = container.volumeMounts?.find((one) => one.name === 'tls');
    return [
      ...(mount?.mountPath === FOLDER && mount.readOnly === true
        ? []
        : [`${where}: does not mount its certificate`]),
      ...Object.entries(SETTINGS)
        .filter(([setting, value]) => values[setting] !== value)
        .map(([setting, value]) => `${where}: ${setting} is not ${value}`),
    ];
  });
  const isOwn = certificate.spec.dnsNames?.[0] === name;
  return [...settings, ...(isOwn ? [] : [`Deployment ${name}: its certificate has another name`])];
}
