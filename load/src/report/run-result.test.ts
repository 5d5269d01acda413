import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { readResult, RESULT_VERSION } from './run-result.js';

describe('an earlier run', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-result-'));
  after(() => rmSync(dir, { recursive: true }));

  const read = (content: string) => {
    const file = path.join(dir, 'run.json');
    writeFileSync(file, content);
    return readResult(file, ['gateway', 'events']);
  };
  const resultOf = (over: object): string => JSON.stringify({ version: RESULT_VERSION, ...over });

  it('is read when it has a load on one of the targets', () => {
    expect(read(resultOf({ targets: [{ target: 'events' }] })).targets).to.have.lengthOf(1);
  });

  for (const [content, fault] of [
    ['{', 'JSON'],
    ['null', 'is no result of this command'],
    ['{"version":1}', 'or one of another release'],
    [resultOf({ selection: [] }), 'holds no load on gateway, events'],
    [resultOf({ targets: [{ target: 'fraud' }] }), 'holds no load on gateway, events'],
  ] as const) {
    it(`is refused as ${content}`, () => {
      expect(() => read(content)).to.throw(Error, fault);
    });
  }
});
