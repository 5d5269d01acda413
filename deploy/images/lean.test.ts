import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { fatOf } from './lean.mjs';

describe('a lean image', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'placard-lean-'));
    put('usr/local/bin/node', 0o755);
    put('placard/gateway/dist/sh', 0o644);
    mkdirSync(path.join(root, 'tmp'));
    chmodSync(path.join(root, 'tmp'), 0o1777);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function put(file: string, mode: number): void {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, '');
    chmodSync(full, mode);
  }

  it('has Node.js and the files of the service', () => expect(fatOf(root)).to.deep.equal([]));

  for (const file of [
    'bin/sh',
    'usr/bin/bash',
    'usr/bin/apt-get',
    'usr/bin/dpkg',
    'usr/bin/perl5.36.0',
    'usr/local/bin/npm',
  ])
    it(`has no /${file}`, () => {
      put(file, 0o755);
      expect(fatOf(root)).to.deep.equal([`/${file} is a program that no service needs`]);
    });

  it('has no shell under a second name', () => {
    put('usr/bin/dash', 0o755);
    symlinkSync('dash', path.join(root, 'usr/bin/sh'));
    expect(fatOf(root)).to.have.lengthOf(2);
  });

  it('has no setuid or setgid file, and nothing that everybody may write', () => {
    put('usr/lib/a', 0o4755);
    put('usr/lib/b', 0o2755);
    put('usr/lib/c', 0o666);
    expect(fatOf(root)).to.deep.equal([
      '/usr/lib/a is setuid or setgid',
      '/usr/lib/b is setuid or setgid',
      '/usr/lib/c may be written by everybody',
    ]);
  });
});
