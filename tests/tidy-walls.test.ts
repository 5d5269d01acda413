import { expect } from 'chai';
import { docFaults, exportNameFaults } from './tidy/exports.js';
import { headerFaults } from './tidy/headers.js';
import { deadLinkFaults, lineFaults } from './tidy/markdown.js';
import { markFaults } from './tidy/marks.js';
import { nameFaults, spellingFaults } from './tidy/names.js';
import { purityFaults } from './tidy/purity.js';
import { roomFaults, serviceFaults } from './tidy/rooms.js';
import { fileSizeFaults, functionSizeFaults } from './tidy/sizes.js';
import type { Fault, SourceFile } from './tidy/source-files.js';

type Case = readonly [path: string, text: string];

/** Each text has one mistake, or none. */
function describeWall(
  wall: string,
  faultsOf: (file: SourceFile) => Fault[],
  cases: { readonly wrong: readonly Case[]; readonly right: readonly Case[] },
): void {
  describe(`the wall "${wall}"`, () => {
    for (const [path, text] of cases.wrong) {
      it(`stops ${path}: ${text.slice(0, 70).replaceAll('\n', ' ')}`, () => {
        const faults = faultsOf({ path, text });
        expect(faults).to.have.length(1);
        expect(faults[0]).to.match(new RegExp(`^${path.replaceAll('.', '\\.')}(:\\d+)?: `));
      });
    }
    for (const [path, text] of cases.right) {
      it(`lets ${path} pass: ${text.slice(0, 70).replaceAll('\n', ' ')}`, () => {
        expect(faultsOf({ path, text })).to.deep.equal([]);
      });
    }
  });
}

describeWall('rooms', roomFaults, {
  wrong: [
    ['fraud-service/src/domain/a.ts', `import { b } from '../store/b.js';`],
    ['fraud-service/src/domain/a.ts', `import { readFileSync } from 'node:fs';`],
    ['fraud-service/src/domain/a.ts', `import { appError } from '@placard/service-kit';`],
    ['fraud-service/src/domain/a.ts', `export * from '@placard/protos/fraud/v1/fraud.js';`],
    ['fraud-service/src/usecase/a.ts', `import { b } from '../store/b.redis.js';`],
    ['fraud-service/src/usecase/a.ts', `import { openRedis } from '@placard/service-kit';`],
    ['fraud-service/src/usecase/a.ts', `import { openB } from '../clients/b.js';`],
    ['fraud-service/src/usecase/a.ts', `const b = await import('pg');`],
    ['fraud-service/src/rpc/a.ts', `import type { B } from '../store/b.js';`],
    ['fraud-service/src/store/a.pg.ts', `import { b } from '../usecase/b.js';`],
    ['fraud-service/src/main.ts', `import { b } from './tidy/domain/b.js';`],
    ['fraud-service/src/config.ts', `import { b } from './tidy/rpc/b.js';`],
    ['fraud-service/src/app.ts', `import { makeTestClock } from '@placard/service-kit/testing';`],
    ['fraud-service/src/things/a.ts', `export {};`],
    ['console-service/src/cli/a.ts', `import { b } from '../store/b.js';`],
    ['gateway/src/middleware/a.ts', `import { b } from '../store/b.redis.js';`],
  ],
  right: [
    ['fraud-service/src/domain/a.ts', `import { HOUR_MS } from '@placard/service-kit/pure';`],
    ['fraud-service/src/domain/rules/a.ts', `import { b } from '../limit.js';`],
    ['fraud-service/src/usecase/a.ts', `import type { B } from '../store/b.js';`],
    ['fraud-service/src/usecase/a.ts', `import { appError, type Scope } from '@placard/service-kit';`],
    ['fraud-service/src/usecase/a.ts', `import type { B } from '../clients/b.js';`],
    ['fraud-service/src/app.ts', `import { b } from './store/b.redis.js';`],
    ['fraud-service/src/domain/a.test.ts', `import { b } from '../../test/b.js';`],
    ['events-service/src/worker.ts', `import { b } from './settlement-app.js';`],
    ['gateway/src/routes/a.ts', `import { b } from '../clients/b.js';`],
    ['console-service/src/cli/a.ts', `import { b } from '@placard/protos/console/v1/console.js';`],
  ],
});

describeWall('services', serviceFaults, {
  wrong: [
    ['fraud-service/src/app.ts', `import { b } from '../../session-service/src/b.js';`],
    ['fraud-service/test/a.test.ts', `import { b } from '@placard/gateway';`],
    ['service-kit/src/a.ts', `import type { B } from '../../gateway/src/b.js';`],
  ],
  right: [
    ['fraud-service/src/app.ts', `import { b } from '@placard/service-kit';`],
    ['tests/conformance/a.test.ts', `import { b } from '../../gateway/src/b.js';`],
  ],
});

describeWall('purity', purityFaults, {
  wrong: [
    ['fraud-service/src/domain/a.ts', `export const a = () => Date.now();`],
    ['fraud-service/src/domain/a.ts', `export const a = () => new Date();`],
    ['fraud-service/src/domain/a.ts', `export const a = () => Math.random();`],
    ['fraud-service/src/domain/a.ts', `export async function a() {}`],
    ['fraud-service/src/domain/a.ts', `export const a = () => process.env;`],
    ['fraud-service/src/domain/a.ts', `setTimeout(a, 1);`],
  ],
  right: [
    ['fraud-service/src/domain/a.ts', `export const a = (ms: number) => new Date(ms).toISOString();`],
    ['fraud-service/src/domain/a.ts', `export const a = { process: 1, fetch: 2 }; a.process;`],
    ['fraud-service/src/usecase/a.ts', `export const a = async () => Date.now();`],
  ],
});

const lines = (count: number): string => 'a();\n'.repeat(count);

describeWall('file size', fileSizeFaults, {
  wrong: [
    ['fraud-service/src/app.ts', lines(401)],
    ['fraud-service/src/main.ts', lines(21)],
    ['events-service/src/worker.ts', lines(21)],
  ],
  right: [
    ['fraud-service/src/app.ts', lines(400)],
    ['gateway/src/main.ts', lines(20)],
  ],
});

describeWall('function size', functionSizeFaults, {
  wrong: [
    ['a.ts', `function a() {\n${lines(69)}}`],
    ['a.ts', `const a = () => {\n${lines(69)}};`],
    ['a.test.ts', `describe('a', () => { it('b', () => {\n${lines(69)}}); });`],
  ],
  right: [
    ['a.ts', `function a() {\n${lines(68)}}`],
    ['a.test.ts', `describe('a', () => {\n${lines(200)}});`],
    ['a.ts', `export function describeA() { describe('a', () => {\n${lines(200)}}); }`],
  ],
});

describeWall('names', ({ path }) => [...nameFaults(path), ...spellingFaults(path)], {
  wrong: [
    ['fraud-service/src/utils', ''],
    ['fraud-service/src/domain/redis-helpers.ts', ''],
    ['fraud-service/src/domain/session-manager', ''],
    ['fraud-service/src/domain/common.ts', ''],
    ['fraud-service/src/domain/claimLimit.ts', ''],
    ['fraud-service/src/store/insert_events.sql', ''],
  ],
  right: [
    ['fraud-service/src/store/session-counters.redis.ts', ''],
    ['fraud-service/migrations/001_create_events.sql', ''],
    ['docs/commonplace.md', ''],
  ],
});

describeWall('headers', headerFaults, {
  wrong: [
    ['a.sql', `SELECT 1;`],
    ['a.sql', `-- Reads one.\nSELECT * FROM a WHERE id = $1;`],
    ['a.sql', `-- Reads one.\n-- $1 text id\n-- $2 text name\nSELECT * FROM a WHERE id = $1;`],
    ['a.lua', `-- Reads one.\nreturn redis.call('GET', KEYS[1])`],
    ['a.lua', `-- KEYS[1] the key\nreturn redis.call('SET', KEYS[1], ARGV[1])`],
  ],
  right: [
    ['a.sql', `-- Reads one.\n-- $1 text id\nSELECT * FROM a WHERE id = $1; -- not $2`],
    ['a.lua', `-- KEYS[1] the key\n-- ARGV[1] the value\nreturn redis.call('SET', KEYS[1], ARGV[1])`],
    ['a.ts', `a();`],
  ],
});

describeWall('named exports', exportNameFaults, {
  wrong: [
    ['a.ts', `export default 1;`],
    ['a.ts', `export default function a() {}`],
  ],
  right: [['a.ts', `export function a() {}`]],
});

describeWall('doc comments', docFaults, {
  wrong: [
    ['a.ts', `export const a = 1;`],
    ['a.ts', `// One.\nexport interface A {}`],
    ['a.ts', `/** One. */\nexport const a = 1;\n\nexport const b = 2;`],
    ['a.ts', `/** One. */\nexport const a = 1;\nexport function b() {\n}`],
  ],
  right: [
    ['a.ts', `/** One. */\nexport const a = 1;`],
    ['a.ts', `/** Two. */\nexport const a = 1;\nexport const b = 2;`],
    ['a.ts', `const a = 1;\nexport * from './tidy/b.js';`],
    ['a.test.ts', `export const a = 1;`],
  ],
});

describeWall('marks', markFaults, {
  wrong: [['a.ts', ['a();', '// TO', 'DO: b'].join('')]],
  right: [['a.ts', `// What is to do.`]],
});

const words = 'word '.repeat(30).trimEnd();
const long = 'x'.repeat(130);

describeWall('Markdown lines', lineFaults, {
  wrong: [
    ['a.md', words],
    ['a.md', `- ${words}`],
    ['a.md', `## ${words}`],
    ['a.md', `see \`${long}\` there and here`],
    ['a.md', `\`\`\`\n${words}\n\`\`\`\n${words}`],
  ],
  right: [
    ['a.md', words.slice(0, 120)],
    ['a.md', `| ${words} |`],
    ['a.md', `  | ${words} |`],
    ['a.md', `\`\`\`sh\n${words}\n\`\`\``],
    ['a.md', `https://example.org/${long}`],
    ['a.md', `- \`${words}\`.`],
    ['a.md', `[page](${long}.html)`],
  ],
});

describeWall('links', (page) => deadLinkFaults(page, (path) => path === 'src/a.ts' || path === 'docs'), {
  wrong: [
    ['docs/a.md', `[a](../src/b.ts)`],
    ['docs/a.md', `[a](src/a.ts)`],
    ['docs/a.md', `[a](../src/b.ts#L1)`],
  ],
  right: [
    ['docs/a.md', `[a](../src/a.ts), [b](../src/a.ts#L1), [c](../docs)`],
    ['docs/a.md', `[a](https://example.org/b.ts), [b](#heading)`],
  ],
});
