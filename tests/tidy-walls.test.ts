import { expect } from 'chai';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { docFaults } from './tidy/docs.js';
import { headerFaults } from './tidy/headers.js';
import { deadLinkFaults, lineFaults } from './tidy/markdown.js';
import { nameFaults, spellingFaults } from './tidy/names.js';
import { ROOT } from './tidy/source-files.js';
import type { Fault, SourceFile } from './tidy/source-files.js';

type Case = readonly [path: string, text: string];

/** Describes a wall. Each text in `wrong` has one fault, each in `right` none. */
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

/** Rules of eslint.config.mjs about the design, not about the language. */
const RULES: ReadonlySet<string> = new Set([
  'max-lines',
  'house/max-lines-per-function',
  'no-restricted-exports',
  'no-restricted-globals',
  'no-restricted-properties',
  'no-restricted-syntax',
  'no-warning-comments',
]);
const lines = (count: number): string => 'a();\n'.repeat(count);

/** Each text breaks one rule. */
const LINT_WRONG: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['no-restricted-properties', 'fraud-service/src/domain/a.ts', `export const a = () => Date.now();`],
  ['no-restricted-properties', 'fraud-service/src/domain/a.ts', `export const a = () => Math.random();`],
  ['no-restricted-syntax', 'fraud-service/src/domain/a.ts', `export const a = () => new Date();`],
  ['no-restricted-syntax', 'fraud-service/src/domain/a.ts', `export async function a() {}`],
  ['no-restricted-properties', 'events-service/src/b/domain/a.ts', `export const a = () => Date.now();`],
  [
    'no-restricted-syntax',
    'events-service/src/b/usecase/a.ts',
    `import { openRedis } from '@placard/service-kit/redis';`,
  ],
  ['no-restricted-globals', 'fraud-service/src/domain/a.ts', `export const a = () => process.env;`],
  ['no-restricted-globals', 'fraud-service/src/domain/a.ts', `setTimeout(a, 1);`],
  [
    'no-restricted-syntax',
    'fraud-service/src/usecase/a.ts',
    `import { runProcess } from '@placard/service-kit';`,
  ],
  [
    'no-restricted-syntax',
    'fraud-service/src/usecase/a.ts',
    `import { openOutbox } from '@placard/service-kit/background';`,
  ],
  ['no-restricted-globals', 'fraud-service/src/app.ts', `setInterval(a, 1);`],
  ['no-restricted-syntax', 'load/src/a.ts', `let console = 1;`],
  ['no-restricted-syntax', 'load/src/a.test.ts', `process.env['TEST_REDIS_URL'];`],
  ['no-restricted-syntax', 'load/src/a.ts', `const a = { b, ...{ c, d } };`],
  ['no-restricted-syntax', 'fraud-service/src/domain/a.ts', `const a = { b, ...(c && { d }) };`],
  ['no-restricted-exports', 'load/src/a.ts', `export default function a() {}`],
  ['no-warning-comments', 'load/src/a.ts', ['// TO', 'DO: b'].join('')],
  ['max-lines', 'fraud-service/src/app.ts', lines(401)],
  ['max-lines', 'events-service/src/worker.ts', lines(21)],
  ['house/max-lines-per-function', 'load/src/a.ts', `function a() {\n${lines(69)}}`],
  ['house/max-lines-per-function', 'load/src/a.ts', `const a = () => {\n${lines(69)}};`],
  [
    'house/max-lines-per-function',
    'load/a.test.ts',
    `describe('a', () => { it('b', () => {\n${lines(69)}}); });`,
  ],
];

/** Each text breaks no rule. */
const LINT_RIGHT: readonly (readonly [path: string, text: string])[] = [
  ['fraud-service/src/domain/a.ts', `export const a = (ms: number) => new Date(ms).toISOString();`],
  ['fraud-service/src/domain/a.ts', `export const a = { process: 1, fetch: 2 }; a.process;`],
  ['fraud-service/src/domain/a.test.ts', `export const a = async () => Date.now();`],
  ['fraud-service/src/usecase/a.ts', `export const a = async () => Date.now();`],
  ['fraud-service/src/usecase/a.ts', `import { appError, type Scope } from '@placard/service-kit';`],
  ['fraud-service/src/usecase/a.ts', `import type { Scope } from '@placard/service-kit';`],
  ['fraud-service/src/usecase/a.ts', `import { newId } from '@placard/service-kit/pure';`],
  ['load/src/a.ts', `const a = { ...b, ...(c === null ? {} : { c }) };`],
  [
    'fraud-service/src/usecase/a.ts',
    `import { makeSingleFlight, type Outbox } from '@placard/service-kit/background';`,
  ],
  ['fraud-service/src/app.ts', lines(400)],
  ['gateway/src/main.ts', lines(20)],
  ['load/src/a.ts', `function a() {\n${lines(68)}}`],
  ['load/a.test.ts', `describe('a', () => {\n${lines(200)}});`],
  ['load/a.ts', `export function describeA() { describe('a', () => {\n${lines(200)}}); }`],
];

describe('the rules of ESLint that are about the design (eslint.config.mjs)', () => {
  const eslint = new ESLint({
    cwd: ROOT,
    overrideConfig: [
      tseslint.configs.disableTypeChecked,
      { linterOptions: { reportUnusedDisableDirectives: 'off' } },
    ],
  });
  const brokenBy = async (path: string, text: string): Promise<readonly (string | null)[]> => {
    const [result] = await eslint.lintText(text, { filePath: path });
    return (result?.messages ?? [])
      .map(({ ruleId }) => ruleId)
      .filter((rule) => rule === null || RULES.has(rule));
  };
  const shown = (text: string): string => text.slice(0, 60).replaceAll('\n', ' ');

  for (const [rule, path, text] of LINT_WRONG) {
    it(`${rule} stops ${path}: ${shown(text)}`, async () => {
      expect(await brokenBy(path, text)).to.deep.equal([rule]);
    });
  }

  for (const [path, text] of LINT_RIGHT) {
    it(`none stops ${path}: ${shown(text)}`, async () => {
      expect(await brokenBy(path, text)).to.deep.equal([]);
    });
  }
});
