// Who may import whom. `npm run check:imports` holds it; tests/tidy-walls.test.ts shows what each rule stops.

import { SERVICES } from './deploy/images/contents.mjs';

const SERVICE = `^(${SERVICES.join('|')})`;
const TEST = '[.]test[.]ts$';
/** `budget.redis.ts`: the implementation of what `budget.ts` promises. */
const IMPLEMENTATION = '.*[.][a-z-]+[.]ts$';

const ENTRY = '/src/(main|worker|migrate)[.]ts$';
// A service with a worker has one app for each of its processes.
const APP = '/src/[a-z-]*app[.]ts$';
const CONFIG = '/src/config[.]ts$';
/** The few files that stand beside app.ts. */
const BESIDE = '/src/(?!(main|worker|migrate|config|[a-z-]*app)[.]ts$)[^/]+[.]ts$';

/** Layers of a service. The last two are of console-service: the command line, and the text of the catalog file. */
const LAYERS = ['rpc', 'routes', 'middleware', 'usecase', 'domain', 'store', 'clients', 'cli', 'file'];
const LAYER = `(?:${LAYERS.join('|')})/`;
/** A large service has its layers inside of features: `src/<feature>/<layer>/`. */
const FEATURE = `(?!${LAYER})[^/]+/`;
const layer = (names) => `/src/(?:|${FEATURE})(?:${names})/`;
/** `open-events.ts` puts one feature together, as app.ts does with the service. */
const OPENER = `/src/${FEATURE}(?:open|make)-[a-z-]+[.]ts$`;
/** `budget-metrics.ts`: what else stands in a feature and in none of its layers. */
const FEATURE_METRICS = `/src/${FEATURE}(?:|[a-z-]+-)metrics[.]ts$`;

/**
 * Parts of service-kit: the parts and packages that each may import. A part that brings a library has an entry of its own,
 * so that no process loads it in vain.
 */
const KIT = {
  pure: { parts: [], packages: [] },
  process: { parts: ['pure', 'tracing'], packages: ['pino', 'prom-client', 'zod'] },
  tracing: { parts: ['process'], packages: ['@opentelemetry/[a-z-]+'] },
  overload: { parts: ['process'], packages: ['prom-client'] },
  background: { parts: ['process'], packages: ['lru-cache'] },
  breaker: { parts: ['process'], packages: ['prom-client'] },
  http: { parts: ['process'], packages: ['prom-client'] },
  files: { parts: ['process', 'pure'], packages: [] },
  grpc: {
    parts: ['process', 'background', 'breaker', 'tracing', 'overload', 'pure'],
    packages: ['@grpc/[a-z-]+', 'grpc-health-check', 'prom-client'],
  },
  stores: { parts: ['process'], packages: ['zod'] },
  postgres: {
    parts: ['process', 'stores', 'background', 'tracing', 'files'],
    packages: ['pg', 'node-pg-migrate', 'prom-client'],
  },
  redis: {
    parts: ['process', 'stores', 'background', 'tracing', 'files'],
    packages: ['ioredis', 'bullmq', 'prom-client'],
  },
  callbacks: { parts: ['background', 'pure'], packages: ['ipaddr[.]js', 'jose'] },
  tokens: { parts: ['process', 'background', 'pure'], packages: ['jose', 'prom-client', 'zod'] },
  wire: { parts: ['pure'], packages: [] },
  'catalog-reader': {
    parts: ['process', 'background', 'files', 'grpc', 'wire', 'pure'],
    packages: ['prom-client'],
  },
};
/** Parts that contracts of `protos` pass through. */
const KIT_PROTOS = ['grpc', 'wire', 'catalog-reader'];
/** What every process loads: the index of service-kit. */
const KIT_INDEX = { parts: ['process', 'http', 'overload', 'stores', 'tracing'], packages: [] };

/** What an import can lead to; `$1` is the service of the importing file. */
const TARGETS = {
  ...Object.fromEntries(LAYERS.map((name) => [name, `^$1${layer(name)}`])),
  store: `^$1${layer('store')}(?!${IMPLEMENTATION})`,
  'store.x': `^$1${layer('store')}${IMPLEMENTATION}`,
  clients: `^$1${layer('clients')}(?!${IMPLEMENTATION})`,
  'clients.x': `^$1${layer('clients')}${IMPLEMENTATION}`,
  opener: `^$1${OPENER}`,
  app: `^$1${APP}`,
  config: `^$1${CONFIG}`,
  beside: `^$1(?:${BESIDE}|${FEATURE_METRICS})`,
  // The index, and what a command needs of it, which loads no library.
  kit: '^service-kit/src/(?:index|process/errors|process/setting)[.]ts$',
  ...Object.fromEntries(
    Object.keys(KIT).map((part) => [`kit/${part}`, `^service-kit/src/${part}/index[.]ts$`]),
  ),
  'kit/migrate': '^service-kit/src/postgres/migrate[.]ts$',
  'kit/queue': '^service-kit/src/redis/queue[.]ts$',
  pure: '^service-kit/src/pure/index[.]ts$',
  protos: '^protos/gen/',
  // Types that are generated from the document of the management API.
  api: '^$1/gen/',
  node: '^(node:)?[a-z0-9_/]+$',
  // A package stands in a workspace's own folder where another version of it is in the root's.
  package: '(?:^|/)node_modules/',
  // Reads addresses, without I/O.
  ipaddr: '(?:^|/)node_modules/ipaddr[.]js/',
  // Reckons with days and time zones, without I/O and with the time as an argument.
  luxon: '(?:^|/)node_modules/(?:@types/)?luxon/',
};

const EDGE = [
  ...['rpc', 'file', 'usecase', 'domain', 'protos', 'pure', 'node', 'package'],
  ...['kit', 'kit/background', 'kit/grpc', 'kit/wire', 'kit/catalog-reader'],
];
const ANYTHING = Object.keys(TARGETS).filter((target) => !['app', 'kit/migrate'].includes(target));

/** Who may import what: docs/architecture.md. */
const WALLS = [
  ['an-entry', ENTRY, ['app', 'config', 'kit', 'kit/migrate', 'pure', 'node']],
  ['an-app', `(?:${APP}|${OPENER})`, ANYTHING],
  [
    'beside-an-app',
    `(?:${BESIDE}|${FEATURE_METRICS})`,
    ['beside', 'config', 'usecase', 'domain', 'store', 'clients', 'kit', 'pure', 'node', 'package'],
  ],
  ['config', CONFIG, ['domain', 'kit', 'kit/tokens', 'pure', 'node', 'package']],
  [
    'usecase',
    layer('usecase'),
    [
      ...['usecase', 'domain', 'store', 'clients', 'pure'],
      ...['kit', 'kit/background', 'kit/callbacks', 'kit/grpc', 'kit/tokens'],
    ],
  ],
  ['domain', layer('domain'), ['domain', 'api', 'pure', 'ipaddr', 'luxon']],
  [
    'store',
    layer('store'),
    [
      ...['store', 'store.x', 'domain', 'pure', 'node', 'package'],
      ...['kit', 'kit/background', 'kit/breaker', 'kit/callbacks', 'kit/files', 'kit/postgres', 'kit/redis'],
    ],
  ],
  [
    'clients',
    layer('clients'),
    [
      ...['clients', 'clients.x', 'domain', 'protos', 'pure', 'node', 'package'],
      ...['kit', 'kit/background', 'kit/grpc', 'kit/wire'],
    ],
  ],
  // A program of its own: it calls running services by RPC, and of this one it uses only what decides without I/O.
  [
    'cli',
    layer('cli'),
    [
      ...['cli', 'file', 'domain', 'api', 'pure', 'node', 'package'],
      ...['kit', 'kit/files', 'kit/grpc', 'kit/tokens'],
    ],
  ],
  ['file', layer('file'), ['file', 'domain', 'pure', 'node', 'package']],
].map(([name, path, allowed]) => wall(name, SERVICE + path, allowed));

/** The gateway has no use cases: its routes and middleware call the services and the limits. */
const EDGES = [
  wall('edge', SERVICE.replace('gateway|', '') + layer('rpc|routes|middleware'), [
    ...EDGE,
    'routes',
    'middleware',
  ]),
  wall('gateway-edge', `^(gateway)${layer('rpc|routes|middleware')}`, [
    ...EDGE,
    ...['routes', 'middleware', 'clients', 'store', 'config', 'beside'],
  ]),
];

/** service-kit's own walls: an import of a part leads to the part itself or to what {@link KIT} names. */
const KIT_WALLS = Object.entries(KIT).map(([part, uses]) =>
  kitWall(part, `${part}/`, { ...uses, parts: [part, ...uses.parts] }),
);

function kitWall(name, path, { parts, packages }) {
  const hasProtos = KIT_PROTOS.includes(name);
  const allowed = [
    `^service-kit/src/(?:${parts.join('|')})/`,
    `(?:^|/)node_modules/(?:${packages.join('|') || '-'})/`,
    TARGETS.node,
    ...(hasProtos ? [TARGETS.protos] : []),
  ];
  return {
    name: `kit-${name}-imports-only`,
    comment: `may import ${[...parts, ...packages, ...(hasProtos ? ['protos'] : [])].join(', ')}`,
    severity: 'error',
    from: { path: `^service-kit/src/${path}`, pathNot: TEST },
    to: { pathNot: allowed },
  };
}

function wall(name, path, allowed) {
  return {
    name: `${name}-imports-only`,
    comment: `may import ${allowed.join(', ')}`,
    severity: 'error',
    from: { path, pathNot: TEST },
    to: { pathNot: allowed.map((target) => TARGETS[target]) },
  };
}

/** The client SDK stands alone: no package, nothing of Node.js, and nothing of the services. */
const SDK_WALLS = [
  ['domain', 'domain'],
  ['io', 'domain|io'],
  ['ads', 'domain|io|ads'],
  ['dom', 'domain|ads|dom'],
].map(([folder, allowed]) => ({
  name: `sdk-${folder}-imports-only`,
  comment: `may import ${allowed}`,
  severity: 'error',
  from: { path: `^sdk/src/${folder}/`, pathNot: TEST },
  to: { pathNot: `^sdk/src/(?:${allowed})/` },
}));

export default {
  forbidden: [
    ...SDK_WALLS,
    ...WALLS,
    ...EDGES,
    ...KIT_WALLS,
    kitWall('index', 'index[.]ts$', KIT_INDEX),
    {
      name: 'no-part-of-its-own',
      comment: 'a part of service-kit is named in KIT of .dependency-cruiser.mjs',
      severity: 'error',
      from: {},
      to: {
        path: '^service-kit/src/',
        pathNot: [`^service-kit/src/(?:${[...Object.keys(KIT), 'testing'].join('|')})/`, TARGETS.kit],
      },
    },
    {
      name: 'no-folder-of-its-own',
      comment: `code of a service stands in ${LAYERS.join(', ')}, in a feature's such folder, or beside app.ts`,
      severity: 'error',
      from: {},
      to: {
        path: `${SERVICE}/src/${FEATURE}`,
        pathNot: [`/src/${FEATURE}${LAYER}`, OPENER, FEATURE_METRICS],
      },
    },
    {
      name: 'a-command-loads-little',
      comment:
        'each command starts anew: import errors and settings from their own entries, or load the index when it is needed',
      severity: 'error',
      from: { path: `${SERVICE}/src/(?:|${FEATURE})cli/`, pathNot: TEST },
      to: { path: '^service-kit/src/index[.]ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-other-service',
      comment: 'call it by RPC',
      severity: 'error',
      from: { path: `${SERVICE}/` },
      to: { path: `${SERVICE}/`, pathNot: '^$1/' },
    },
    {
      name: 'no-service-in-shared-code',
      comment: 'service-kit and protos know no service',
      severity: 'error',
      from: { path: '^(service-kit|protos)/' },
      to: { path: `${SERVICE}/` },
    },
    {
      name: 'clients-by-type-only',
      comment: 'a use case knows a client by its type only; use `import type`',
      severity: 'error',
      from: { path: SERVICE + layer('usecase'), pathNot: TEST },
      to: { path: `^$1${layer('clients')}`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circles',
      comment: 'move what both need to a file of its own',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'unit-tests-without-stores',
      comment: 'a test under src/ needs no store; move it to test/',
      severity: 'error',
      from: { path: `/src/.*${TEST}` },
      to: { path: '^(service-kit/src/testing/stores|tests/driver/product)[.]ts$', reachable: true },
    },
    {
      name: 'no-tests-in-code',
      comment: 'code that runs in production imports no test and nothing that is for tests',
      severity: 'error',
      from: { path: '/src/', pathNot: `${TEST}|/src/testing/|^load/` },
      to: { path: `${TEST}|^service-kit/src/testing/|^[^/]+/test/` },
    },
    {
      name: 'resolves',
      comment: 'the import leads nowhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^protos/gen/'] },
    exclude: { path: '(^|/)(dist|[.]data|[.]stryker-tmp)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count too: a circle of types is a circle for the reader.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
    },
  },
};
