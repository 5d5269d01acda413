import { expect } from 'chai';
import { violationsIn } from './tidy/import-rules.js';

/** Each file has one import, which the named rule refuses. */
const WRONG: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['fraud-service/src/domain/to-store.ts', `import '../store/limits.js';`, 'domain-imports-only'],
  ['fraud-service/src/domain/to-node.ts', `import 'node:fs';`, 'domain-imports-only'],
  ['fraud-service/src/domain/to-kit.ts', `import '@placard/service-kit';`, 'domain-imports-only'],
  ['fraud-service/src/domain/to-grpc.ts', `import '@placard/service-kit/grpc';`, 'domain-imports-only'],
  ['fraud-service/src/usecase/to-redis.ts', `import '../store/limits.redis.js';`, 'usecase-imports-only'],
  ['fraud-service/src/usecase/to-client.ts', `import '../clients/events.js';`, 'clients-by-type-only'],
  ['fraud-service/src/usecase/to-package.ts', `await import('pg');`, 'usecase-imports-only'],
  ['fraud-service/src/rpc/to-store.ts', `import type { A } from '../store/limits.js';`, 'edge-imports-only'],
  ['fraud-service/src/store/to-usecase.ts', `import '../usecase/judge.js';`, 'store-imports-only'],
  ['fraud-service/src/store/to-queue.ts', `import '@placard/service-kit/queue';`, 'store-imports-only'],
  ['fraud-service/src/main.ts', `import './domain/limit.js';`, 'an-entry-imports-only'],
  ['fraud-service/src/config.ts', `import './rpc/handlers.js';`, 'config-imports-only'],
  ['fraud-service/src/app.ts', `import '@placard/service-kit/testing';`, 'an-app-imports-only'],
  ['fraud-service/src/to-folder.ts', `import './things/thing.js';`, 'no-folder-of-its-own'],
  ['events-service/src/a/domain/to-store.ts', `import '../store/rows.js';`, 'domain-imports-only'],
  ['events-service/src/a/domain/to-feature.ts', `import '../../b/store/rows.js';`, 'domain-imports-only'],
  ['events-service/src/a/usecase/to-pg.ts', `import '../store/rows.pg.js';`, 'usecase-imports-only'],
  ['events-service/src/a/usecase/to-feature.ts', `import '../../b/rpc/rows.js';`, 'usecase-imports-only'],
  ['events-service/src/a/usecase/to-client.ts', `import '../clients/rows.js';`, 'clients-by-type-only'],
  ['events-service/src/a/usecase/to-opener.ts', `import '../open-rows.js';`, 'usecase-imports-only'],
  ['events-service/src/a/rpc/to-store.ts', `import type { A } from '../store/rows.js';`, 'edge-imports-only'],
  ['events-service/src/a/store/to-usecase.ts', `import '../usecase/rows.js';`, 'store-imports-only'],
  ['events-service/src/a/clients/to-rpc.ts', `import '../rpc/rows.js';`, 'clients-imports-only'],
  ['events-service/src/a/row-metrics.ts', `import './store/rows.pg.js';`, 'beside-an-app-imports-only'],
  ['events-service/src/store/to-feature.ts', `import '../a/usecase/rows.js';`, 'store-imports-only'],
  ['events-service/src/main.ts', `import './a/open-rows.js';`, 'an-entry-imports-only'],
  ['events-service/src/to-thing.ts', `import './a/thing.js';`, 'no-folder-of-its-own'],
  ['events-service/src/to-things.ts', `import './a/things/thing.js';`, 'no-folder-of-its-own'],
  ['console-service/src/cli/to-store.ts', `import '../store/catalog.js';`, 'cli-imports-only'],
  ['console-service/src/cli/to-pg.ts', `import '@placard/service-kit/postgres';`, 'cli-imports-only'],
  ['gateway/src/middleware/to-redis.ts', `import '../store/limits.redis.js';`, 'gateway-edge-imports-only'],
  ['fraud-service/test/to-gateway.ts', `import '../../gateway/src/app.js';`, 'no-other-service'],
  ['service-kit/src/to-gateway.ts', `import '../../gateway/src/app.js';`, 'no-service-in-shared-code'],
  ['service-kit/src/index.ts', `import './grpc/index.js';`, 'kit-index-imports-only'],
  ['service-kit/src/grpc/to-redis.ts', `import '../redis/index.js';`, 'kit-grpc-imports-only'],
  ['service-kit/src/process/to-package.ts', `import 'pg';`, 'kit-process-imports-only'],
  ['service-kit/src/testing/to-part.ts', `import '../things/thing.js';`, 'no-part-of-its-own'],
  ['load/src/a.ts', `import type { B } from './b.js';`, 'no-circles'],
  ['load/src/nowhere.ts', `import './nowhere-else.js';`, 'resolves'],
  ['load/src/stores.test.ts', `import './uses-stores.js';`, 'unit-tests-without-stores'],
  ['service-kit/src/to-testing.ts', `import './testing/index.js';`, 'no-tests-in-code'],
];

/** Each file has one import, which all rules allow. */
const RIGHT: readonly (readonly [path: string, text: string])[] = [
  ['fraud-service/src/domain/to-pure.ts', `import '@placard/service-kit/pure';`],
  ['fraud-service/src/domain/rules/to-domain.ts', `import '../limit.js';`],
  ['fraud-service/src/domain/limit.test.ts', `import '../../test/bed.js';`],
  ['fraud-service/src/usecase/to-contract.ts', `import type { A } from '../store/limits.js';`],
  ['fraud-service/src/usecase/to-kit.ts', `import { appError } from '@placard/service-kit';`],
  ['fraud-service/src/usecase/to-client-type.ts', `import type { A } from '../clients/events.js';`],
  ['fraud-service/src/store/to-node.ts', `import 'node:fs/promises';`],
  ['fraud-service/src/store/to-kit-redis.ts', `import '@placard/service-kit/redis';`],
  ['fraud-service/src/store/to-package.ts', `import 'pg';`],
  ['events-service/src/app.ts', `import './store/limits.redis.js';`],
  ['events-service/src/worker.ts', `import './settlement-app.js';`],
  ['events-service/src/settlement-app.ts', `import './a/open-rows.js';`],
  ['events-service/src/a/open-rows.ts', `import './store/rows.pg.js';`],
  ['events-service/src/a/open-others.ts', `import './open-rows.js';`],
  ['events-service/src/a/usecase/to-contract.ts', `import type { A } from '../../b/store/rows.js';`],
  ['events-service/src/a/usecase/to-shared.ts', `import '../../usecase/rows.js';`],
  ['events-service/src/a/store/to-feature.ts', `import '../../b/store/rows.js';`],
  ['events-service/src/a/store/to-pg.ts', `import './rows.pg.js';`],
  ['events-service/src/a/rpc/to-usecase.ts', `import '../usecase/rows.js';`],
  ['events-service/src/a/row-metrics.test.ts', `import './row-metrics.js';`],
  ['events-service/src/app-metrics.ts', `import './a/store/rows.js';`],
  ['gateway/src/routes/to-client.ts', `import '../clients/session.js';`],
  ['console-service/src/cli/to-grpc.ts', `import '@placard/service-kit/grpc';`],
  ['service-kit/src/postgres/to-package.ts', `import 'pg';`],
  ['tests/to-gateway.ts', `import '../gateway/src/app.js';`],
  ['fraud-service/test/stores.test.ts', `import '@placard/service-kit/testing/stores';`],
];

/** Targets of the imports above. */
const TARGETS = [
  ...['store/limits.ts', 'store/limits.redis.ts', 'clients/events.ts', 'usecase/judge.ts', 'domain/limit.ts'],
  ...['rpc/handlers.ts', 'things/thing.ts'],
].map((path) => `fraud-service/src/${path}`);
const OTHER_TARGETS = [
  'console-service/src/store/catalog.ts',
  'events-service/src/settlement-app.ts',
  'events-service/src/store/limits.redis.ts',
  ...['a/store/rows.ts', 'a/store/rows.pg.ts', 'a/usecase/rows.ts', 'a/clients/rows.ts', 'a/rpc/rows.ts'].map(
    (path) => `events-service/src/${path}`,
  ),
  ...['a/thing.ts', 'a/things/thing.ts', 'b/store/rows.ts', 'b/rpc/rows.ts', 'usecase/rows.ts'].map(
    (path) => `events-service/src/${path}`,
  ),
  'fraud-service/test/bed.ts',
  'gateway/src/app.ts',
  'gateway/src/clients/session.ts',
  'gateway/src/store/limits.redis.ts',
  'service-kit/src/things/thing.ts',
];

describe('the rules of imports (.dependency-cruiser.mjs)', () => {
  let found: ReadonlySet<string>;
  before(async () => {
    const files = new Map([...TARGETS, ...OTHER_TARGETS].map((path) => [path, 'export {};']));
    for (const [path, text] of [...WRONG, ...RIGHT]) files.set(path, text);
    files.set('load/src/b.ts', `import type { A } from './a.js';`);
    files.set('load/src/uses-stores.ts', `import '@placard/service-kit/testing/stores';`);
    const violations = await violationsIn(files);
    found = new Set(violations.map(({ from, rule }) => `${from} ${rule.name}`));
  });

  for (const [path, text, rule] of WRONG) {
    it(`${rule} stops ${path}: ${text}`, () => {
      expect([...found].filter((one) => one.startsWith(`${path} `))).to.include(`${path} ${rule}`);
    });
  }

  for (const [path, text] of RIGHT) {
    it(`no rule stops ${path}: ${text}`, () => {
      expect([...found].filter((one) => one.startsWith(`${path} `))).to.deep.equal([]);
    });
  }
});
