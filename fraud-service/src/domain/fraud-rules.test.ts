import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { defaultValues, fraudRules } from './fraud-rules.js';
import { defineRule } from './rule.js';
import { count } from './setting.js';
import type { Subject } from './traffic.js';

const read = (page: string): string =>
  readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
const settings = read('settings.md');
const contract = read('contract/fraud-rules.md');

/** What is wanted and not there, so that a failure names it alone. */
function missing(wanted: readonly string[], found: readonly string[]): readonly string[] {
  return wanted.filter((text) => !found.includes(text));
}

/** The cells of each row of the table under a heading, without the header row. */
function rowsUnder(page: string, heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the fraud rules', () => {
  const subjects: readonly Subject[] = ['ad_request', 'impression', 'click'];

  it('have unique names and settings', () => {
    const codes = fraudRules.map(({ code }) => code);
    expect(codes).to.deep.equal([...new Set(codes)]);
    const names = fraudRules.flatMap((rule) => Object.keys(rule.settings));
    expect(names).to.deep.equal([...new Set(names)]);
  });

  for (const subject of subjects) {
    it(`have a unique order for each ${subject}, with rules without a counter first`, () => {
      const judging = fraudRules.filter(({ judges }) => judges.includes(subject));
      const order = judging.map(({ precedence }) => precedence);
      expect(order).to.deep.equal([...new Set(order)].sort((one, other) => one - other));
    });
  }

  it('have defaults within their bounds', () => {
    for (const { settings: own } of fraudRules) {
      for (const [name, { default: value, min, max, isAllowed }] of Object.entries(own)) {
        expect(value, name).to.be.within(min, max);
        expect(isAllowed(value), name).to.equal(true);
      }
    }
  });

  it('have the numbers of the contract by default', () => {
    expect(defaultValues).to.include({
      ad_requests_per_minute: 30,
      banner_impression_factor: 1.5,
      fullscreen_impressions_per_hour: 60,
      session_impressions_per_hour: 720,
      MIN_CLICK_DELAY_MS: 1_000,
      clicks_per_hour: 20,
      max_ctr: 0.5,
      ctr_min_impressions: 10,
    });
  });

  it('are all in the table of the contract, and each has a heading', () => {
    const bounds = rowsUnder(contract, 'Rules').map(([first = '']) => first);
    const texts = fraudRules.map(({ text }) => text);
    expect(missing(texts, bounds), 'rules without a row under "Rules"').to.deep.equal([]);
    const anchors = [...contract.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    const sections = fraudRules.map(({ section }) => section);
    expect(missing(sections, anchors), 'sections without a heading').to.deep.equal([]);
  });

  it('are all in docs/settings.md, each number with its default and range', () => {
    const wanted = fraudRules.flatMap(({ code, text, settings: own }) =>
      Object.entries(own).map(([name, setting]) => [
        `\`${code}\``,
        text,
        `\`${name}\``,
        String(setting.default),
        setting.range,
      ]),
    );
    const lines = wanted.map((cells) => cells.join(' | '));
    const rows = rowsUnder(settings, 'Fraud rules').map((cells) => cells.join(' | '));
    expect(missing(lines, rows), 'rows that docs/settings.md lacks').to.deep.equal([]);
    expect(missing(rows, lines), 'rows of docs/settings.md that are of no rule').to.deep.equal([]);
    expect(rows).to.have.length(lines.length);
  });
});

describe('a fraud rule with a missing or wrong part', () => {
  const whole = {
    code: 'x',
    text: 'x',
    section: 'rules',
    judges: ['ad_request'],
    precedence: 1,
    settings: { x: count(1) },
    kind: 'window',
    counter: 'ad_requests',
    windowMs: 1,
    max: (_: unknown, values: { readonly x: number }) => values.x,
  } as const;

  it('does not compile', () => {
    defineRule(whole);
    // @ts-expect-error Its code is missing.
    defineRule({ ...whole, code: undefined });
    // @ts-expect-error Its text is missing.
    defineRule({ ...whole, text: undefined });
    // @ts-expect-error Its section of the contract is missing.
    defineRule({ ...whole, section: undefined });
    // @ts-expect-error Its subjects are missing.
    defineRule({ ...whole, judges: undefined });
    // @ts-expect-error Its precedence is missing.
    defineRule({ ...whole, precedence: undefined });
    // @ts-expect-error Its settings are missing.
    defineRule({ ...whole, settings: undefined });
    // @ts-expect-error Its counter is missing.
    defineRule({ ...whole, counter: undefined });
    // @ts-expect-error An ad request has no placement here.
    defineRule({ ...whole, counter: 'placement_impressions' });
    // @ts-expect-error Its limit is missing.
    defineRule({ ...whole, max: undefined });
    // @ts-expect-error It uses a setting that it does not declare.
    defineRule({ ...whole, settings: { y: count(1) } });
  });
});
