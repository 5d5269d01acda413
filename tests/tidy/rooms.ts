import { importsOf, serviceOf, targetOf, type Import } from './imports.js';
import { isTest, isTypeScript, type Fault, type SourceFile } from './source-files.js';

/** Rooms of a service; the walls between them are the design's, "The same rooms in every service". */
const ROOMS: readonly string[] = [
  ...['rpc', 'routes', 'middleware', 'usecase', 'domain', 'store', 'clients'],
  // Of console-service only: the command that a person runs, and the text of the catalog file.
  ...['cli', 'file'],
];
const ENTRIES: ReadonlySet<string> = new Set(['main', 'worker', 'migrate']);

/**
 * Who may import what. `kit` is service-kit, `pure` its part without I/O; `store` is a contract, `store.x` an
 * implementation (`budget.redis.ts`); `beside` are the few files that stand next to app.ts.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  entry: ['app', 'config', 'kit', 'pure', 'node'],
  app: [...ROOMS, 'store.x', 'clients.x', 'beside', 'config', 'kit', 'pure', 'protos', 'node', 'package'],
  beside: ['beside', 'config', 'usecase', 'domain', 'store', 'clients', 'kit', 'pure', 'node', 'package'],
  config: ['domain', 'kit', 'pure', 'node', 'package'],
  rpc: ['rpc', 'file', 'usecase', 'domain', 'protos', 'kit', 'pure', 'node', 'package'],
  usecase: ['usecase', 'domain', 'store', 'clients', 'kit', 'pure'],
  domain: ['domain', 'pure'],
  store: ['store', 'store.x', 'domain', 'kit', 'pure', 'node', 'package'],
  // A program of its own: it knows running services by RPC, and of this one only what decides without I/O.
  cli: ['cli', 'file', 'domain', 'protos', 'kit', 'pure', 'node', 'package'],
  file: ['file', 'domain', 'pure', 'node', 'package'],
  clients: ['clients', 'clients.x', 'domain', 'protos', 'kit', 'pure', 'node', 'package'],
};
/** The gateway decides nothing, so that it has no use cases: its routes and middleware call the services and the limits. */
const GATEWAY_EDGE = [
  ...(MAY_IMPORT['rpc'] ?? []),
  ...['routes', 'middleware', 'clients', 'store', 'config', 'beside'],
];

/** What a use case needs of service-kit at run time: the one error type. */
const USECASE_KIT_NAMES: ReadonlySet<string> = new Set(['AppError', 'appError', 'toAppError', 'messageOf']);

/** Faults of one file of a service against the walls between rooms. */
export function roomFaults(file: SourceFile): Fault[] {
  const service = serviceOf(file.path);
  if (service === null || !isTypeScript(file) || isTest(file)) return [];
  if (!file.path.startsWith(`${service}/src/`)) return [];
  const room = roomOf(file.path);
  if (room === 'unknown')
    return [`${file.path}: is in no room of the design; move it to one of ${ROOMS.join(', ')}`];
  return importsOf(file).flatMap((found) => faultOf(file.path, room, found) ?? []);
}

/** Faults of one file against "no service imports another"; its tests too. */
export function serviceFaults(file: SourceFile): Fault[] {
  const service = serviceOf(file.path);
  const isShared = /^(service-kit|protos)\//.test(file.path);
  if (!isTypeScript(file) || (service === null && !isShared)) return [];
  return importsOf(file).flatMap(({ place, specifier }) => {
    const other = serviceOf(targetOf(file.path, specifier));
    if (other === null || other === service) return [];
    return [`${place}: imports ${specifier} of ${other}; ask it by RPC`];
  });
}

function faultOf(path: string, room: string, found: Import): Fault | null {
  const target = kindOf(targetOf(path, found.specifier));
  const allowed = allowedFor(path, room);
  const isAllowed = allowed.includes(target) || (target === 'pure' && allowed.includes('kit'));
  if (!isAllowed) {
    return `${found.place}: ${room} imports ${found.specifier} (${target}); it may import ${allowed.join(', ')}`;
  }
  if (room !== 'usecase' || found.isTypeOnly) return null;
  if (target === 'clients')
    return `${found.place}: a use case knows a client by its type only; use \`import type\``;
  const foreign = target === 'kit' ? found.names.filter((name) => !USECASE_KIT_NAMES.has(name)) : [];
  if (foreign.length === 0) return null;
  return `${found.place}: a use case imports ${foreign.join(', ')} of service-kit; it may use errors and types only`;
}

function allowedFor(path: string, room: string): readonly string[] {
  const isEdge = room === 'rpc' || room === 'routes' || room === 'middleware';
  if (isEdge && serviceOf(path) === 'gateway') return GATEWAY_EDGE;
  return MAY_IMPORT[isEdge ? 'rpc' : (room.split('.')[0] ?? room)] ?? [];
}

/** The room of a path in a service: `domain`, `store.x` …, or `unknown`. */
function roomOf(path: string): string {
  const [, , first = '', ...rest] = path.split('/');
  if (rest.length === 0) {
    const name = first.replace(/\.[a-z]+$/, '');
    if (ENTRIES.has(name)) return 'entry';
    if (name === 'config') return 'config';
    // A service with a worker has one app for each of its processes.
    return /^([a-z-]+-)?app$/.test(name) ? 'app' : 'beside';
  }
  if (!ROOMS.includes(first)) return 'unknown';
  const isImplementation = /\.[a-z-]+\.[jt]s$/.test(path);
  return (first === 'store' || first === 'clients') && isImplementation ? `${first}.x` : first;
}

function kindOf(target: string): string {
  if (/^[a-z-]+\/src\//.test(target)) return serviceOf(target) === null ? 'package' : roomOf(target);
  if (target === '@placard/service-kit/pure') return 'pure';
  if (/^@placard\/service-kit(\/(migrate|queue))?$/.test(target)) return 'kit';
  if (target.startsWith('@placard/service-kit')) return target;
  if (target.startsWith('@placard/protos/')) return 'protos';
  return target.startsWith('node:') ? 'node' : 'package';
}
