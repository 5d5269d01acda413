import { mkdtempSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { endLeftoverPostgres, postmasterPidOf } from './postmaster-pid.js';
import { readRedisVersion } from './redis-binary.js';

describe('a postmaster.pid that was left behind', () => {
  it('names the server on its first line', () => {
    expect(postmasterPidOf('4711\n/data/postgres\n1795000000\n')).to.equal(4711);
    for (const text of ['', '\n', 'x\n', '-1\n', '0\n']) expect(postmasterPidOf(text)).to.equal(null);
  });

  for (const [name, pid] of [
    ['a process that is gone', 4_190_000],
    ['a process that is not its server', process.pid],
  ] as const) {
    it(`with the number of ${name} is removed, and nothing is ended`, async () => {
      const dir = mkdtempSync(path.join(tmpdir(), 'placard-pid-'));
      const file = path.join(dir, 'postmaster.pid');
      writeFileSync(file, `${pid}\n${dir}\n`);
      await endLeftoverPostgres(dir);
      expect(existsSync(file)).to.equal(false);
      rmSync(dir, { recursive: true });
    });
  }
});

describe('a Redis that was found', () => {
  const rows: readonly [string, string | null][] = [
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1', '7.0'],
    ['Valkey server v=8.1.1 sha=00000000:0 malloc=libc bits=64 build=1', '8.1'],
    ['Redis server v=6.2.0 sha=0', '6.2'],
    ['Redis server v=6.0.16 sha=0', null],
    ['Redis server v=5.0.7 sha=0', null],
    ['something else', null],
  ];
  for (const [text, version] of rows) {
    it(`${text.slice(0, 24)} → ${version ?? 'not used'}`, () =>
      expect(readRedisVersion(text)).to.equal(version));
  }
});
