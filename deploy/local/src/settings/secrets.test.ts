import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { openSecrets } from './secrets.js';
import { StartError } from '../start-error.js';

describe('secrets of a data folder', () => {
  let file = '';
  beforeEach(() => (file = path.join(mkdtempSync(path.join(tmpdir(), 'placard-secrets-')), 'secrets.json')));
  afterEach(() => rmSync(path.dirname(file), { recursive: true }));

  it('are made at the first start and stay the same', () => {
    const first = openSecrets(file);
    expect(openSecrets(file)).to.deep.equal(first);
  });

  it('can be read by their owner only', () => {
    openSecrets(file);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it('contain key rings with a key id and 32 bytes in base64url, different for each kind of token', () => {
    const { sessionTokenKeys, impressionTokenKeys, networkHashKey } = openSecrets(file);
    expect(sessionTokenKeys).to.match(/^k[0-9a-f]{8}:[A-Za-z0-9_-]{43}$/);
    expect(impressionTokenKeys).to.match(/^k[0-9a-f]{8}:[A-Za-z0-9_-]{43}$/);
    expect(networkHashKey).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(sessionTokenKeys).not.to.equal(impressionTokenKeys);
  });

  for (const damaged of ['', '{', 'null', '{"sessionTokenKeys":"k:1"}']) {
    it(`stop the start and do not change when their file contains ${JSON.stringify(damaged)}`, () => {
      writeFileSync(file, damaged);
      expect(() => openSecrets(file)).to.throw(StartError, /cannot be read.*--data DIR/);
      expect(readFileSync(file, 'utf8')).to.equal(damaged);
    });
  }
});
