import { expect } from 'chai';
import { makeLimiter, postgresNotice, serviceNotice } from './notice.js';

describe('the shown part of a log', () => {
  const rows: readonly [string, string | null][] = [
    ['{"level":30,"msg":"started"}', null],
    ['{"level":40,"msg":"slow"}', 'warning: slow'],
    ['{"level":50,"msg":"broken","err":{"message":"why"}}', 'error: broken: why'],
    ['{"level":40,"msg":"tried again","reason":"no answer"}', 'warning: tried again: no answer'],
    ['{"level":60,"msg":"Wrong settings: PORT"}', 'error: Wrong settings: PORT'],
    ['Error: a stack', 'Error: a stack'],
    ['{ not json', '{ not json'],
  ];
  for (const [line, shown] of rows) {
    it(`of a service: ${line} → ${String(shown)}`, () => expect(serviceNotice(line)).to.equal(shown));
  }

  it('of Postgres: only faults that end a server', () => {
    expect(postgresNotice('ERROR:  duplicate key')).to.equal(null);
    expect(postgresNotice('FATAL:  terminating connection due to administrator command')).to.equal(null);
    expect(postgresNotice('FATAL:  could not write lock file')).to.include('could not write');
  });

  it('is at most twenty lines in ten seconds, with one note when there are more', () => {
    const shown: string[] = [];
    const show = makeLimiter((line) => shown.push(line), 'more');
    for (let index = 0; index < 50; index += 1) show('x', 1_000_000);
    expect(shown).to.have.length(21);
    expect(shown.at(-1)).to.equal('more');
    show('later', 1_010_001);
    expect(shown.at(-1)).to.equal('later');
  });
});
