import type { AcceptedReward } from '@placard/protos/events/v1/rewards.js';
import { until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { answerOf, onceOnly } from '../../src/cli/session.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { ADMIN_KEY, makeApi } from '../support/manage-client.js';
import { openTestReceiver, type TestReceiver } from '../support/receiver.js';
import { otherRewardOf, rewardedCatalog, rewardOf } from '../support/rewarded-catalog.js';
import { runCommand, type CommandOutcome } from '../support/run-command.js';

const ID = rewardOf(1).requestId;
const CALLBACK_ID = `rwd_${'1'.padStart(32, '0')}`;

describe('the placard command about rewards', () => {
  let instance: TestConsole;
  let receiver: TestReceiver;
  before(async () => {
    receiver = await openTestReceiver();
    instance = await openTestConsole(receiver.callbacks);
    const file = rewardedCatalog(receiver.url, receiver.otherUrl);
    const applied = await instance.client.applyCatalog({ file, prune: false, onlyIfEmpty: false });
    expect(applied.faults).to.deep.equal([]);
    for (const reward of [rewardOf(1), otherRewardOf(2)]) {
      const { rewardedAtMs, ...ids } = reward;
      const wire: AcceptedReward = { ...ids, acceptedAtMs: BigInt(rewardedAtMs) };
      instance.events.rewards.set(reward.requestId, wire);
    }
    await until(async () => (await log('--status', 'delivered')).length === 2);
  });
  after(async () => {
    await instance.close();
    receiver.close();
  });

  const run = (...args: readonly string[]): Promise<CommandOutcome> => runCommand(args, instance.commandEnv);
  const log = async (...args: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { out } = await run('reward', 'log', '--format', 'json', ...args);
    return (JSON.parse(out) as { readonly rows: readonly Readonly<Record<string, unknown>>[] }).rows;
  };

  it('shows callbacks as a table, as JSON and as CSV, newest ads first', async () => {
    const [other, row] = await log();
    expect(other).to.include({ publisher: 'pub_b', status: 'delivered' });
    expect(row).to.deep.include({
      request_id: ID,
      id: CALLBACK_ID,
      publisher: 'pub_a',
      app: 'app_a',
      placement: 'video',
      item: 'coins',
      amount: 50,
      test: false,
      rewarded_at: '2026-05-01T11:59:00.000Z',
      attempts: 1,
      next_attempt_at: null,
      fault: null,
    });
    const table = (await run('reward', 'log', '--app', 'app_a')).out.split('\n');
    expect(table[0]).to.match(
      /^request_id +app +placement +item +amount +test +rewarded_at +status +attempts/,
    );
    expect(table[1]).to.match(new RegExp(`^${ID} +app_a +video +coins +50 +false +\\S+ +delivered +1`));
    const csv = (await run('reward', 'log', '--publisher', 'pub_b', '--format', 'csv')).out.split('\r\n');
    expect(csv[0]).to.equal(
      'request_id,id,publisher,app,placement,item,amount,test,rewarded_at,status,attempts,last_attempt_at,next_attempt_at,fault,delivered_at',
    );
    expect(csv[1]).to.contain(',pub_b,app_b,video,coins,50,false,');
  });

  it('filters by request, placement and state, and limits the rows', async () => {
    expect(await log('--request', ID)).to.have.length(1);
    expect(await log('--placement', 'app_b/video')).to.have.length(1);
    expect(await log('--status', 'given_up')).to.deep.equal([]);
    expect(await log('--limit', '1')).to.have.length(1);
    const refused = await run('reward', 'log', '--limit', '0');
    expect(refused.status).to.equal(1);
    expect(refused.err).to.contain('limit');
  });

  it('continues behind a page with its cursor, which the table names', async () => {
    const page = await run('reward', 'log', '--limit', '1', '--format', 'json');
    const { rows, next_cursor: next } = JSON.parse(page.out) as {
      readonly rows: readonly { readonly request_id: string }[];
      readonly next_cursor: string;
    };
    const all = await log();
    expect(rows[0]?.request_id).to.equal(all[0]?.['request_id']);
    expect((await run('reward', 'log', '--limit', '1')).out).to.contain(`--cursor ${next}`);
    expect(await log('--cursor', next)).to.deep.equal(all.slice(1));
  });

  it('refuses objects that the catalog never had, and texts that are no request id', async () => {
    for (const [option, id, kind] of [
      ['--publisher', 'nope', 'publisher'],
      ['--app', 'nope', 'app'],
      ['--placement', 'app_a/nope', 'placement'],
    ] as const) {
      const { status, err } = await run('reward', 'log', option, id);
      expect(status, option).to.equal(1);
      expect(err).to.contain(`The list is refused: the catalog never had ${kind} ${id}.`);
    }
    expect((await run('reward', 'log', '--placement', 'app_a/plain')).status).to.equal(0);
    const { status, err } = await run('reward', 'log', '--request', 'nope');
    expect(status).to.equal(1);
    expect(err).to.contain('request_id: must match pattern "^req_[0-9a-f]{32}$"');
  });

  it('refuses a cursor that is none', async () => {
    const url = `http://127.0.0.1:${instance.ports.managePort}/manage/v1/rewards?cursor=abc`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
    expect(answer.status).to.equal(422);
    expect(await answer.json()).to.deep.include({
      errors: [{ field: 'cursor', value: 'abc', detail: 'must match pattern "^req_[0-9a-f]{32}$"' }],
    });
  });

  it('shows in the story of a request what became of its callback', async () => {
    const { out } = await run('trace', ID, '--json', '--logs', '/dev/null');
    const callback = (JSON.parse(out) as { readonly reward_callback: object }).reward_callback;
    expect(callback).to.include({ id: CALLBACK_ID, status: 'delivered', attempts: 1, fault: null });
    expect(callback).to.have.property('delivered_at').that.is.a('string');
  });

  it('replays a callback, which the receiver gets with the same id', async () => {
    const before = receiver.received.length;
    const replay = await run('reward', 'replay', ID);
    expect(replay).to.deep.equal({
      status: 0,
      out: `callback ${CALLBACK_ID} is sent again; see: placard reward log --request ${ID}\n`,
      err: '',
    });
    await until(() => receiver.received.length > before);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).to.include({ id: CALLBACK_ID });
    await until(async () => (await log('--request', ID))[0]?.['attempts'] === 2);
  });

  it('says so when there is no callback', async () => {
    const { status, err } = await run('reward', 'replay', 'req_unknown');
    expect(status).to.equal(1);
    expect(err).to.match(/^placard: There is no reward callback of req_unknown\..*\n$/);
  });

  it('shows and replays for a publisher what is its own, and nothing else', async () => {
    const api = makeApi(instance.ports.managePort);
    const body = { name: 'B', role: 'publisher:pub_b' };
    const { text } = await answerOf(api.POST('/keys', { params: { header: onceOnly() }, body }));
    const env = { ...instance.commandEnv, PLACARD_KEY: text };
    const { out } = await runCommand(['reward', 'log', '--format', 'json'], env);
    const { rows } = JSON.parse(out) as { readonly rows: readonly Readonly<Record<string, unknown>>[] };
    expect(rows.map(({ publisher }) => publisher)).to.deep.equal(['pub_b']);
    const other = await runCommand(['reward', 'replay', ID], env);
    const unknown = await runCommand(['reward', 'replay', 'req_unknown'], env);
    expect(other).to.deep.equal(unknown);
    expect(other.err).to.contain('may only use what belongs to it');
    expect((await runCommand(['reward', 'replay', otherRewardOf(2).requestId], env)).status).to.equal(0);
  });
});
