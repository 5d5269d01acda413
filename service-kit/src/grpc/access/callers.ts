/** Who may hold a certificate of Placard: each service, and the operators with the `placard` command. */
export const CALLERS = [
  'gateway',
  'session-service',
  'serving-service',
  'events-service',
  'fraud-service',
  'console-service',
  'operator',
] as const;

/** A name that a certificate can give its holder. */
export type CallerName = (typeof CALLERS)[number];

/**
 * The other end of a connection. `none`: without a valid certificate. `unknown`: its certificate names nobody above.
 * `several`: it names more than one of them.
 */
export type Caller = CallerName | 'several' | 'unknown' | 'none';

const NAMES: ReadonlySet<string> = new Set(CALLERS);
const DNS = 'DNS:';
const SPIFFE = 'URI:spiffe://';

/**
 * The caller that a certificate names, from its subject alternative names as `node:tls` writes them. A DNS name counts by its
 * first label: `serving-service` and `serving-service.placard.svc` are the same caller. A SPIFFE id counts by the last part
 * of its path. Other names do not count.
 */
export function callerNamedBy(subjectAltName: string | undefined): Exclude<Caller, 'none'> {
  // Node.js quotes names with characters that could be taken for a second name. No caller has such a name.
  if (subjectAltName === undefined || subjectAltName.includes('"')) return 'unknown';
  const names = new Set(subjectAltName.split(', ').map(nameOf).filter(isCallerName));
  const [first] = names;
  return names.size > 1 ? 'several' : (first ?? 'unknown');
}

function nameOf(entry: string): string {
  if (entry.startsWith(DNS)) return entry.slice(DNS.length).split('.', 1)[0] ?? '';
  // A SPIFFE id without a path names an authority and not a workload.
  if (entry.startsWith(SPIFFE)) return entry.slice(SPIFFE.length).split('/').slice(1).at(-1) ?? '';
  return '';
}

function isCallerName(name: string): name is CallerName {
  return NAMES.has(name);
}
