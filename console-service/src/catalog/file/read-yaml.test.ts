import { expect } from 'chai';
import fc from 'fast-check';
import { Faults } from '../domain/faults.js';
import { parseJson } from '../domain/json-text.js';
import { NumberText } from '../domain/raw-value.js';
import { readHere } from './read-here.js';
import { readText } from './read-text.js';
import { readYaml } from './read-yaml.js';

function yaml(text: string): unknown {
  const faults = new Faults();
  const value = readYaml(text, faults);
  return faults.isEmpty() ? value : faults.list();
}

describe('reading YAML', () => {
  it('reads every JSON text like the JSON reader', () => {
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2, '\t'), (content, indent) => {
        const text = JSON.stringify(content, null, indent);
        expect(yaml(text)).to.deep.equal(parseJson(text));
      }),
    );
  });

  it('keeps the spelling of a decimal number', () => {
    const texts = ['4.010', '1e-06', '.5', '+2.5', '007', '2.', '-0', '1e400', '.inf', '-.INF', '.nan'];
    expect(yaml(`[${texts.join(', ')}]`)).to.deep.equal(texts.map((text) => new NumberText(text)));
  });

  it('turns hexadecimal and octal numbers into decimal ones, digit for digit', () => {
    const numbers = ['31', '15', '1152921504606846975'].map((text) => new NumberText(text));
    expect(yaml('[0x1F, 0o17, 0xFFFFFFFFFFFFFFF]')).to.deep.equal(numbers);
  });

  it('reads words of YAML 1.1 and quoted texts as texts', () => {
    expect(yaml(`[yes, NO, on, 1_000, 0b1, 1:30, "1", '~', !!str 12, <<]`)).to.deep.equal([
      ...['yes', 'NO', 'on', '1_000', '0b1', '1:30', '1', '~', '12', '<<'],
    ]);
    expect(yaml('[true, False, NULL, ~, ]')).to.deep.equal([true, false, null, null]);
  });

  it('reads a key as its written text', () => {
    expect(yaml('{ 1: a, __proto__: b, true: c }')).to.deep.equal(
      new Map([
        ['1', 'a'],
        ['__proto__', 'b'],
        ['true', 'c'],
      ]),
    );
  });

  it('replaces aliases by their values, however many there are', () => {
    expect(yaml('a: &x [1]\nb: *x\nc: &x [2]\nd: *x')).to.deep.equal(yaml('a: [1]\nb: [1]\nc: [2]\nd: [2]'));
  });
});

/** Texts that were made to take long, and whether each is read. */
const HOSTILE: readonly (readonly [what: string, text: () => string, isRead: boolean])[] = [
  ['20,000 anchors, each used once', () => anchors(20_000), true],
  ['100,000 keys in one mapping', () => lines(100_000, (index) => `a${index}: 1`), true],
  ['100,000 keys in one mapping of JSON', () => `{${list(100_000, (index) => `"a${index}":1`)}}`, true],
  ['a key of ten million characters', () => `? ${'x'.repeat(10_000_000)}\n: 1`, true],
  ['a text of ten million characters in JSON', () => `["${'x'.repeat(10_000_000)}"]`, true],
  ['a text of ten million characters in JSON that never ends', () => `["${'x'.repeat(10_000_000)}`, false],
  ['a million escaped quotes in JSON', () => `["${'\\"'.repeat(1_000_000)}"]`, true],
  ['a million empty lines in a text', () => `a: "${'\n'.repeat(1_000_000)} x"`, true],
  ['a million comments', () => `${'#\n'.repeat(1_000_000)}a: 1`, true],
  ['a million brackets', () => '[{'.repeat(500_000), false],
  ['100,000 open quotes', () => lines(100_000, () => 'a: "x'), false],
  ['100,000 documents', () => '---\n'.repeat(100_000), false],
  [
    '100,000 tag directives',
    () => `${lines(100_000, (index) => `%TAG !e${index}! tag:x,2000:`)}\n---\n1`,
    true,
  ],
  ['one text of a million characters under 10,000 aliases', () => aliasesOf('x'.repeat(1_000_000)), false],
];

function list(count: number, item: (index: number) => string, between = ','): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(between);
}

function lines(count: number, line: (index: number) => string): string {
  return list(count, line, '\n');
}

function anchors(count: number): string {
  return `${lines(count, (index) => `a${index}: &a${index} x${index}`)}\n${lines(count, (index) => `b${index}: *a${index}`)}`;
}

function aliasesOf(text: string): string {
  return `a: &a ${text}\n${lines(10_000, (index) => `b${index}: *a`)}`;
}

describe('a text that was made to take long', () => {
  for (const [what, text, isRead] of HOSTILE) {
    it(`is ${isRead ? 'read' : 'refused'} at once: ${what}`, function () {
      this.timeout(4_000);
      const faults = new Faults();
      readText(text(), faults);
      expect(faults.isEmpty()).to.equal(isRead);
    });
  }

  it('is refused at once: a name of 300,000 accents, and a bid of a million digits', function () {
    this.timeout(4_000);
    const name = `a${'\u0316\u0301'.repeat(150_000)}`;
    const campaign = `{ id: cmp_a, name: A, bid_cpm: 1${'0'.repeat(1_000_000)}1 }`;
    const { faults } = readHere(`advertisers: [{ id: adv_a, name: "${name}", campaigns: [${campaign}] }]`);
    expect(faults.list()).to.deep.equal([
      'advertisers[0].name: must have at most 200 characters',
      'advertisers[0].campaigns[0].bid_cpm: must be a decimal amount such as 2.50 with at most 6 decimals',
    ]);
  });
});
