import { expect } from 'chai';
import { violationsIn } from './tidy/import-rules.js';

/** Each file has one import, which one rule stops. */
const WRONG: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['fraud-service/src/domain/to-store.ts', `import '../store/limits.js';`, 'domain-imports-only'],
  ['fraud-service/src/domain/to-node.ts', `import 'node:fs';`, 'domain-imports-only'],
  ['fraud-service/src/domain/to-kit.ts', `import '@placard/service-kit';`, 'domain-imports-only'],
  ['fraud-service/src/usecase/to-redis.ts', `import '../store/limits.redis.js';`, 'usecase-imports-only'],
  ['fraud-service/src/usecase/to-client.ts', `import '../clients/events.js';`, 'clients-by-type-only'],
  ['fraud-service/src/usecase/to-package.ts', `await import('pg');`, 'usecase-imports-only'],
  ['fraud-service/src/rpc/to-store.ts', `import type { A } from '../store/limits.js';`, 'edge-imports-only'],
  ['fraud-service/src/store/to-usecase.ts', `import '../usecase/judge.js';`, 'store-imports-only'],
  ['fraud-service/src/main.ts', `import './domain/limit.js';`, 'an-entry-imports-only'],
  ['fraud-service/src/config.ts', `import './rpc/handlers.js';`, 'config-imports-only'],
  ['fraud-service/src/app.ts', `import '@placard/service-kit/testing';`, 'an-app-imports-only'],
  ['fraud-service/src/to-folder.ts', `import './things/thing.js';`, 'no-folder-of-its-own'],
  ['console-service/src/cli/to-store.ts', `import '../store/catalog.js';`, 'cli-imports-only'],
  ['gateway/src/middleware/to-redis.ts', `import '../store/limits.redis.js';`, 'gateway-edge-imports-only'],
  ['fraud-service/test/to-gateway.ts', `import '../../gateway/src/app.js';`, 'no-other-service'],
  ['service-kit/src/to-gateway.ts', `import '../../gateway/src/app.js';`, 'no-service-in-shared-code'],
  ['load/src/a.ts', `import type { B } from './b.js';`, 'no-circles'],
  ['load/src/nowhere.ts', `import './nowhere-else.js';`, 'resolves'],
  ['load/src/stores.test.ts', `import './uses-stores.js';`, 'unit-tests-without-stores'],
  ['service-kit/src/to-testing.ts', `import './testing/index.js';`, 'no-tests-in-code'],
];

/** Each file has one import, which no rule stops. */
const RIGHT: readonly (readonly [path: string, text: string])[] = [
  ['fraud-service/src/domain/to-pure.ts', `import '@placard/service-kit/pure';`],
  ['fraud-service/src/domain/rules/to-domain.ts', `import '../limit.js';`],
  ['fraud-service/src/domain/limit.test.ts', `import '../../test/bed.js';`],
  ['fraud-service/src/usecase/to-contract.ts', `import type { A } from '../store/limits.js';`],
  ['fraud-service/src/usecase/to-kit.ts', `import { appError } from '@placard/service-kit';`],
  ['fraud-service/src/usecase/to-client-type.ts', `import type { A } from '../clients/events.js';`],
  ['fraud-service/src/store/to-node.ts', `import 'node:fs/promises';`],
  ['fraud-service/src/store/to-package.ts', `import 'pg';`],
  ['events-service/src/app.ts', `import './store/limits.redis.js';`],
  ['events-service/src/worker.ts', `import './settlement-app.js';`],
  ['gateway/src/routes/to-client.ts', `import '../clients/session.js';`],
  ['tests/to-gateway.ts', `import '../gateway/src/app.js';`],
  ['fraud-service/test/stores.test.ts', `import '@placard/service-kit/testing/stores';`],
];

/** Where the imports above lead. */
const TARGETS = [
  ...['store/limits.ts', 'store/limits.redis.ts', 'clients/events.ts', 'usecase/judge.ts', 'domain/limit.ts'],
  ...['rpc/handlers.ts', 'things/thing.ts'],
].map((path) => `fraud-service/src/${path}`);
const OTHER_TARGETS = [
  'console-service/src/store/catalog.ts',
  'events-service/src/settlement-app.ts',
  'events-service/src/store/limits.redis.ts',
  'fraud-service/test/bed.ts',
  'gateway/src/app.ts',
  'gateway/src/clients/session.ts',
  'gateway/src/store/limits.redis.ts',
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
