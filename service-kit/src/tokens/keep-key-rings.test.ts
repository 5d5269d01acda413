import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { makeTestClock, makeTestLog, makeTestScope, type TestScope } from '../testing/index.js';
import { asAppId, asSessionId, type SessionClaims } from '../pure/index.js';
import { keepKeyRings, makeRingReader } from './keep-key-rings.js';
import { parseKeyRing } from './key-ring.js';
import { makeSessionTokens } from './tokens.js';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64url');
const BEFORE_MS = Date.parse('2026-01-02T09:59:59Z');
const FROM = '2026-01-02T10:00:00Z';

const claims: SessionClaims = {
  sessionId: asSessionId('0123456789abcdef0123456789abcdef'),
  appId: asAppId('app_sunrise_puzzle'),
  packageName: 'com.sunrise.puzzle',
  isTest: false,
  issuedAtMs: 1_767_225_600_001,
  expiresAtMs: 1_767_229_200_001,
};

describe('key rings in files', () => {
  const clock = makeTestClock(BEFORE_MS);
  let scope: TestScope;
  let file = '';
  beforeEach(() => {
    scope = makeTestScope({ clock });
    clock.set(BEFORE_MS);
    file = path.join(mkdtempSync(path.join(tmpdir(), 'placard-ring-')), 'ring');
    writeFileSync(file, `k1:${secret(1)}\n`);
  });
  afterEach(async () => {
    await scope.close();
    rmSync(path.dirname(file), { recursive: true });
  });

  it('open the tokens of a new key once the file has it, and seal with it from its instant on', () => {
    const ring = parseKeyRing(`file:${file}`);
    const look = makeRingReader(scope, { session: ring });
    const tokens = makeSessionTokens(ring);
    const old = tokens.seal(claims);
    writeFileSync(file, `k2:${secret(2)}@${FROM},k1:${secret(1)}\n`);
    look();
    const elsewhere = makeSessionTokens(parseKeyRing(`k2:${secret(2)}`)).seal(claims);
    expect(tokens.open(elsewhere)).to.deep.equal(claims);
    expect(kidOf(tokens.seal(claims))).to.equal('k1');
    clock.set(Date.parse(FROM));
    look();
    expect(kidOf(tokens.seal(claims))).to.equal('k2');
    expect(tokens.open(old)).to.deep.equal(claims);
  });

  it('keep their keys while the file is missing or invalid', () => {
    const ring = parseKeyRing(`file:${file}`);
    const look = makeRingReader(scope, { session: ring });
    for (const spoil of [() => writeFileSync(file, 'k2:short'), () => rmSync(file)]) {
      spoil();
      look();
      expect(kidOf(makeSessionTokens(ring).seal(claims))).to.equal('k1');
    }
    writeFileSync(file, `k2:${secret(2)},k1:${secret(1)}`);
    look();
    expect(kidOf(makeSessionTokens(ring).seal(claims))).to.equal('k2');
  });

  it('log once that their file cannot be read, and once more when that happens again after it was read', () => {
    const { log, lines } = makeTestLog();
    const look = makeRingReader(makeTestScope({ clock, log }), { session: parseKeyRing(`file:${file}`) });
    look();
    for (let outage = 0; outage < 2; outage += 1) {
      writeFileSync(file, 'k2:short');
      for (let second = 0; second < 3; second += 1) look();
      writeFileSync(file, `k1:${secret(1)}\n`);
      look();
    }
    const line = ['error', 'key ring could not be read: the old keys stay'];
    expect(lines.map(({ level, msg }) => [level, msg])).to.deep.equal([line, line]);
  });

  it('are shown in metrics by the names of their keys and the one that seals', async () => {
    keepKeyRings(scope, { session: parseKeyRing(`k2:${secret(2)}@${FROM},k1:${secret(1)}`) });
    const shown = await scope.metrics.getSingleMetricAsString('placard_key_ring_keys');
    expect(shown).to.include('{ring="session",kid="k2"} 0').and.to.include('{ring="session",kid="k1"} 1');
  });
});

function kidOf(token: string): unknown {
  const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
  return (JSON.parse(header) as { readonly kid: unknown }).kid;
}
