import { OPERATOR_KEY, startProduct, type Product } from '@placard/local';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DEMO_APP } from './driver/catalog.js';
import { fillOf } from './driver/expect.js';
import { becomes, pass, Phone } from './driver/phone.js';
import { runPlacard } from './driver/placard.js';
import type { Fill } from './driver/wire.js';

const START_MS_MAX = 120_000;
const ARRIVAL_MS_MAX = 20_000;
/** Refused events and settlements are recorded soon after their answers. */
const STORY_MS_MAX = 15_000;
/** A click that follows its impression sooner is suspicious. */
const CLICK_DELAY_MS = 1_100;
const ID = /^req_[0-9a-f]{32}$/;

type Line = Readonly<Record<string, unknown>>;
interface Story {
  readonly ad: Readonly<Record<string, unknown>> | null;
  readonly steps: readonly { readonly at: string; readonly step: string; readonly details: Line }[];
  readonly notes: readonly string[];
}

/** Contract: docs/contract/operator-interface.md#trace. */
describe('one ad can be followed from its request to the ledger', () => {
  let dataDir: string;
  let database: TestDatabase;
  let product: Product;
  let fill: Fill;
  /** The header of each answer, by what was sent. */
  let headers: Record<string, string>;

  before('a phone has had an ad, its impression, a click, a reward and a repeated impression', async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'placard-followed-'));
    database = await openTestDatabase({ migrations: [] });
    const redis = new URL(process.env['TEST_REDIS_URL'] ?? '');
    redis.pathname = '/9';
    product = await startProduct({
      dataDir,
      env: { DATABASE_URL: database.url, REDIS_URL: redis.href, LOG_LEVEL: 'debug', EXPLAIN_SAMPLE: '1' },
    });
    expect(await becomes(ARRIVAL_MS_MAX, live), 'a phone is served').to.equal(true);
    await becomes(ARRIVAL_MS_MAX, async () => stepsOf(await story(), 'settled').length === 3);
  }).timeout(START_MS_MAX);
  after(async () => {
    await product.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }).timeout(START_MS_MAX);

  /** False: some process is not connected to its peers yet. */
  async function live(): Promise<boolean> {
    try {
      const phone = await Phone.open(product.gatewayUrl, DEMO_APP);
      const ad = await phone.request('rewarded', { placement: 'extra_life' });
      fill = fillOf(ad);
      const impression = await phone.impression(fill);
      if (impression.status !== 200) return false;
      await pass(CLICK_DELAY_MS);
      const answers = {
        ad,
        impression,
        click: await phone.click(fill),
        reward: await phone.reward(fill, true),
        duplicate: await phone.impression(fill),
      };
      headers = Object.fromEntries(
        Object.entries(answers).map(([name, answer]) => [name, String(answer.headers['x-request-id'])]),
      );
      return true;
    } catch {
      return false;
    }
  }

  const traced = (...args: readonly string[]) =>
    runPlacard(null, ['trace', ...args, '--data', dataDir], { PLACARD_KEY: OPERATOR_KEY });

  async function story(): Promise<Story> {
    const { stdout, stderr } = await traced(fill.requestId, '--json');
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout) as Story;
  }

  const stepsOf = ({ steps }: Story, wanted: string) => steps.filter(({ step }) => step === wanted);

  it('by the header of each answer, which is the request_id for the ad request', () => {
    for (const id of Object.values(headers)) expect(id).to.match(ID);
    expect(new Set(Object.values(headers)).size).to.equal(5);
    expect(headers['ad']).to.equal(fill.requestId);
  });

  it('in the log of every process that worked for it', () => {
    const lines = linesOf(dataDir);
    const processesWith = (field: string, id: string | undefined) =>
      new Set(lines.filter((line) => line[field] === id).map(({ name }) => name));
    expect([...processesWith('requestId', headers['ad'])]).to.have.members([
      'gateway',
      'serving-service',
      'fraud-service',
    ]);
    expect([...processesWith('requestId', headers['impression'])]).to.have.members([
      'gateway',
      'events-service',
    ]);
    expect([...processesWith('adRequestId', headers['ad'])]).to.have.members([
      'gateway',
      'events-service',
      'fraud-service',
    ]);
  });

  it('with no line about a call of a request that lacks its id', () => {
    const nameless = linesOf(dataDir).filter(
      ({ msg, requestId }) => (msg === 'answered' || msg === 'call answered') && requestId === undefined,
    );
    expect(nameless).to.deep.equal([]);
    const calls = linesOf(dataDir).filter(({ method }) =>
      ['requestAd', 'recordImpression', 'startSession', 'judgeAdRequest'].includes(String(method)),
    );
    expect(calls).to.not.be.empty;
    for (const { requestId } of calls) expect(requestId).to.match(ID);
  });

  it('by placard trace, in the order of time, with amounts that add up to zero', async () => {
    let told = await story();
    const isComplete = async (): Promise<boolean> => {
      told = await story();
      return ['refused', 'answered', 'settled'].map((step) => stepsOf(told, step).length).join() === '1,1,3';
    };
    expect(await becomes(STORY_MS_MAX, isComplete), JSON.stringify(told)).to.equal(true);
    const times = told.steps.map(({ at }) => at);
    expect([...times].sort()).to.deep.equal(times);
    expect(told.ad).to.include({ app: DEMO_APP.id, placement: 'extra_life', format: 'rewarded' });
    const marks = told.steps.map(({ step }) => step).filter((step) => step !== 'log');
    expect(marks[0]).to.equal('requested');
    expect(marks).to.have.members([
      ...['requested', 'answered', 'impression', 'click', 'reward', 'refused', 'booked'],
      ...['settled', 'settled', 'settled'],
    ]);
    expect(stepsOf(told, 'refused')[0]?.details).to.deep.equal({ event: 'impression', reason: 'duplicate' });
    const entries = stepsOf(told, 'booked')[0]?.details['entries'] as { account: string; amount: string }[];
    expect(entries.map(({ account }) => account.split(':')[0])).to.deep.equal([
      'advertiser',
      'publisher',
      'platform',
    ]);
    const nanos = entries.map(({ amount }) => BigInt(amount.replace('.', '')));
    expect(nanos.reduce((sum, each) => sum + each, 0n)).to.equal(0n);
    expect(told.notes).to.deep.equal([]);
  });

  it('by placard trace also when the ad was only filled and no log is read, because its answer is kept', async () => {
    const phone = await Phone.open(product.gatewayUrl, DEMO_APP);
    const unshown = fillOf(await phone.request('rewarded', { placement: 'extra_life' }));
    const ask = () => traced(unshown.requestId, '--json', '--logs', '/dev/null');
    expect(await becomes(STORY_MS_MAX, async () => (await ask()).status === 0)).to.equal(true);
    const { steps, notes } = JSON.parse((await ask()).stdout) as Story;
    expect(steps.map(({ step }) => step)).to.deep.equal(['requested', 'answered']);
    expect(steps[1]?.details).to.include({ app: DEMO_APP.id, placement: 'extra_life', result: 'fill' });
    expect(steps[1]?.details['winner']).to.match(/^cmp_/);
    expect(notes.join()).to.include('the ad was not shown');
  });

  it('by placard trace with the log lines of each of its requests', async () => {
    const logged = stepsOf(await story(), 'log').map(({ details }) => details['requestId']);
    expect(logged).to.include.members(Object.values(headers));
  });

  it('by placard trace with the log of another place', async () => {
    const file = path.join(dataDir, 'logs', 'gateway.log');
    const { stdout } = await traced(fill.requestId, '--json', '--logs', file);
    const processes = stepsOf(JSON.parse(stdout) as Story, 'log').map(({ details }) => details['process']);
    expect(new Set(processes)).to.deep.equal(new Set(['gateway']));
  });

  it('unless it is unknown: then one line says what that means, with status 1', async () => {
    for (const id of [`req_${'0'.repeat(32)}`, 'req_1']) {
      const { status, stdout, stderr } = await traced(id);
      expect({ status, stdout, lines: stderr.trim().split('\n').length }).to.deep.equal({
        status: 1,
        stdout: '',
        lines: 1,
      });
      expect(stderr).to.include(id);
    }
    const { stderr } = await traced(`req_${'0'.repeat(32)}`);
    expect(stderr)
      .to.include('warnings are sampled')
      .and.to.include('kept for 3 days')
      .and.to.include('EXPLAIN_SAMPLE');
  });
});

function linesOf(dataDir: string): readonly Line[] {
  const folder = path.join(dataDir, 'logs');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line);
}
