import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { LogFile } from './log-file.js';

describe('the log of a process', () => {
  let dir = '';
  beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), 'placard-log-'))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it('passes on whole lines, however they arrive', () => {
    const lines: string[] = [];
    const log = new LogFile(path.join(dir, 'a.log'), (line) => lines.push(line));
    for (const part of ['on', 'e\ntw', 'o\n\nthr']) log.write(Buffer.from(part));
    expect(lines).to.deep.equal(['one', 'two']);
    expect(log.tail()).to.deep.equal(['one', 'two', 'thr']);
    log.close();
  });

  it('of the start before is kept, for one start', () => {
    const file = path.join(dir, 'a.log');
    for (const text of ['first\n', 'second\n', 'third\n']) {
      const log = new LogFile(file, () => undefined);
      log.write(Buffer.from(text));
      log.close();
    }
    expect(readFileSync(file, 'utf8')).to.equal('third\n');
    expect(readFileSync(`${file}.1`, 'utf8')).to.equal('second\n');
  });

  it('that cannot be written only loses lines, and is written as soon as possible', () => {
    const file = path.join(dir, 'gone', 'a.log');
    const lines: string[] = [];
    const log = new LogFile(file, (line) => lines.push(line));
    log.write(Buffer.from('lost\n'));
    mkdirSync(path.dirname(file));
    log.write(Buffer.from('kept\n'));
    expect(lines).to.deep.equal(['lost', 'kept']);
    expect(readFileSync(file, 'utf8')).to.equal('kept\n');
    log.close();
  });

  it('is rotated when it is too large', () => {
    const file = path.join(dir, 'a.log');
    const log = new LogFile(file, () => undefined);
    const chunk = Buffer.from(`${'x'.repeat(1024 * 1024 - 1)}\n`);
    for (let index = 0; index < 18; index += 1) log.write(chunk);
    log.close();
    expect(readFileSync(file).length).to.be.lessThan(2 * 1024 * 1024);
    expect(readFileSync(`${file}.1`).length).to.be.greaterThan(16 * 1024 * 1024);
  });
});
