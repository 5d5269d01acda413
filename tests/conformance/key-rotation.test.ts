import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { becomes } from '../driver/phone.js';
import { runPlacard } from '../driver/placard.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair();

const LEAD_SECONDS = 5;
const ROTATED_MS_MAX = 15_000;

function kidOf(token: string): string {
  const header = Buffer.from(token.split('.')[0]!, 'base64url').toString();
  return (JSON.parse(header) as { readonly kid: string }).kid;
}

describe('placard keys rotate', () => {
  world.use();

  const keys = (...args: readonly string[]) => runPlacard(null, ['keys', 'rotate', ...args]);
  const ring = (kind: string) => path.join(world.running.dataDir, 'keys', kind);

  it('adds keys without downtime: tokens of the old keys are accepted until they expire', async () => {
    const early = await world.phone(app);
    const fill = await early.fill('banner');
    const { status, stdout } = await keys('--data', world.running.dataDir, '--lead', String(LEAD_SECONDS));
    expect(status).to.equal(0);
    expect(
      stdout.match(/^\S+\/keys\/(session|impression): key k[0-9a-f]{8} added, seals from .*Z on$/gm),
    ).to.have.length(2);
    const old = [kidOf(early.token), kidOf(fill.ad.impression_token)];
    const isRotated = async (): Promise<boolean> => {
      const phone = await world.phone(app);
      const ad = (await phone.fill('banner')).ad;
      return kidOf(phone.token) !== old[0] && kidOf(ad.impression_token) !== old[1];
    };
    expect(await becomes(ROTATED_MS_MAX, isRotated)).to.equal(true);
    expect((await early.impression(fill)).status).to.equal(200);
    const later = await early.fill('banner');
    expect(kidOf(later.ad.impression_token)).to.not.equal(old[1]);
    expect((await early.impression(later)).status).to.equal(200);
  }).timeout(2 * ROTATED_MS_MAX);

  it('lets only their owner read the rings', () => {
    for (const kind of ['session', 'impression']) expect(statSync(ring(kind)).mode & 0o777).to.equal(0o600);
  });

  it('rotates named files without an instance', async () => {
    const text = readFileSync(ring('session'), 'utf8').trim();
    await world.withFile(text, async (file) => {
      expect((await keys('--file', file)).status).to.equal(0);
      expect(readFileSync(file, 'utf8')).to.match(
        new RegExp(`^k[0-9a-f]{8}:[\\w-]{43}@[0-9TZ:-]{20},${text}\n$`),
      );
    });
  });

  it('changes nothing when one of the files is not a ring, and its message does not show the content', async () => {
    const good = readFileSync(ring('session'), 'utf8');
    await world.withFile(good, (first) =>
      world.withFile('k1:supersecret', async (second) => {
        const { status, stderr } = await keys('--file', first, second);
        expect(status).to.equal(1);
        expect(stderr)
          .to.match(/^placard: the key ring .* is not rotated: key 1 must be .*\n$/)
          .and.not.include('supersecret');
        expect(readFileSync(first, 'utf8')).to.equal(good);
      }),
    );
  });

  for (const [what, args, wanted] of [
    ['no instance runs', ['--data', '/nowhere'], /no instance is running/],
    ['the lead is not a time', ['--lead', 'soon'], /Must be a whole number from 5 to 86400/],
  ] as const) {
    it(`reports it when ${what}`, async () => {
      const { status, stderr } = await keys(...args);
      expect(status).to.equal(1);
      expect(stderr).to.match(wanted);
    });
  }

  it('needs named files when the instance is found by its address', async () => {
    const { status, stderr } = await runPlacard('127.0.0.1:9', ['keys', 'rotate']);
    expect(status).to.equal(1);
    expect(stderr).to.match(
      /^placard: the keys of the instance at 127\.0\.0\.1:9 are not kept here\. .*--file.*\n$/,
    );
  });
});
