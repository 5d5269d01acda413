import { expect } from 'chai';
import type { operations } from '../../gen/manage-api.js';
import type { OperationId } from '../../src/manage/domain/operations.js';
import { answerOf, onceOnly } from '../../src/cli/session.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { makeApi } from '../support/manage-client.js';
import { OPERATIONS, type Operation } from './api-document.js';
import { EXPECTED_ACCESS, WITH_OPENING_BALANCE } from './expected-access.js';
import { CATALOG, makeKnownRequests, prepareAnswers } from './known-requests.js';
import { send, write, type ApiAnswer, type ApiRequest } from './requests.js';

/** Owns nothing of what the requests name. */
const OTHERS = JSON.stringify({
  publishers: [{ id: 'pub_b', name: 'B', revenue_share: 0.5 }],
  advertisers: [{ id: 'adv_b', name: 'B' }],
});
const GENERAL = ['admin', 'adops', 'finance', 'readonly'];
const OWNERS = ['publisher:pub_a', 'advertiser:adv_a'];
const OTHER_OWNERS = ['publisher:pub_b', 'advertiser:adv_b'];
/** What the owners have and the others do not. */
const OWNED = /"(?:pub_a|app_a|app_a\/main|adv_a|cmp_a|cr_a)"/;
/** A key has neither password nor second factor, so there is no user. */
const OF_USERS: readonly string[] = ['setOwnPassword', 'beginTotp', 'confirmTotp'];
/** Filters of the query that name what another tenant owns. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listPublishers: { id: 'pub_a' },
  listApps: { publisher: 'pub_a' },
  listPlacements: { publisher: 'pub_a', app: 'app_a' },
  listAdvertisers: { id: 'adv_a' },
  listCampaigns: { advertiser: 'adv_a' },
  listCreatives: { advertiser: 'adv_a', campaign: 'cmp_a' },
  listRewards: { publisher: 'pub_a', app: 'app_a', placement: 'app_a/main' },
  getReport: { publisher: 'pub_a', app: 'app_a', advertiser: 'adv_a', campaign: 'cmp_a' },
};

/** Whether an operation is about one thing that its request names. */
const namesOwned = (operationId: string): boolean =>
  operationId === 'replayReward' ||
  (operationId.startsWith('get') && operationId !== 'getReport' && operationId !== 'getActor');

type AuditQuery = NonNullable<operations['readAudit']['parameters']['query']>;

interface Caller {
  readonly text: string;
  /** As the audit has it. */
  readonly actor: string;
}

/** Calls every operation with every role, with requests that succeed. */
describe('every operation for every role', () => {
  let instance: TestConsole;
  let known: ReturnType<typeof makeKnownRequests>;
  const callers = new Map<string, Caller>();
  /** The refusals that the audit must have: `actor operation reason`. */
  const refusals = new Set<string>();
  before(async () => {
    instance = await openTestConsole();
    for (const file of [CATALOG, OTHERS])
      await instance.client.applyCatalog({ file, prune: false, onlyIfEmpty: false });
    await prepareAnswers(instance);
    known = makeKnownRequests(instance.ports.managePort);
    for (const role of [...GENERAL, ...OWNERS, ...OTHER_OWNERS]) callers.set(role, await makeKey(role));
    const { actor, text } = await makeKey('admin');
    const id = actor.split(' ')[0] ?? '';
    await answerOf(makeApi(instance.ports.managePort).DELETE('/keys/{id}', { params: { path: { id } } }));
    callers.set('revoked', { actor, text });
  });
  after(() => instance.close());

  const makeKey = async (role: string): Promise<Caller> => {
    const api = makeApi(instance.ports.managePort);
    const body = { name: `test ${role}`, role };
    const { key, text } = await answerOf(api.POST('/keys', { params: { header: onceOnly() }, body }));
    return { text, actor: `${key.id} (${key.name})` };
  };
  const callerOf = (name: string): Caller => callers.get(name)!;
  const call = (operation: Operation, request: ApiRequest, text: string | null): Promise<ApiAnswer> => {
    const written = write(operation, request);
    const sent = { ...written.headers, Authorization: text === null ? '' : `Bearer ${text}` };
    return send(instance.ports.managePort, { ...written, headers: sent });
  };
  const auditedBy = async ({ actor }: Caller): Promise<readonly string[]> => {
    const { rows } = await instance.db.pool.query<{ action: string }>(
      `SELECT action FROM audit.changes WHERE actor = $1
       UNION ALL SELECT action FROM audit.access WHERE actor = $1 AND action <> 'refused'`,
      [actor],
    );
    return rows.map(({ action }) => action).sort();
  };
  const expectRefused = async (operation: Operation, request: ApiRequest, name: string, reason: string) => {
    const { text, actor } = callerOf(name);
    const answer = await call(operation, request, text);
    const isKnown = reason !== 'revoked';
    expect(answer.status, `${name}: ${answer.text}`).to.equal(isKnown ? 403 : 401);
    refusals.add(`${actor} ${isKnown ? operation.operationId : 'authenticate'} ${reason}`);
  };

  /** Calls with a role that may. Answers what the audit has of it. */
  const auditedCall = async (operation: Operation, request: ApiRequest, role: string) => {
    const earlier = await auditedBy(callerOf(role));
    const answer = await call(operation, request, callerOf(role).text);
    if (OF_USERS.includes(operation.operationId)) expect(answer.status, role).to.equal(404);
    else expect(answer.status, `${role}: ${answer.text}`).to.be.below(300);
    const added = [...(await auditedBy(callerOf(role)))];
    for (const action of earlier) added.splice(added.indexOf(action), 1);
    return added;
  };

  for (const operation of OPERATIONS.filter(({ isOpen }) => !isOpen)) {
    const { operationId } = operation;
    const { roles, audited } = EXPECTED_ACCESS[operationId as OperationId];
    const requestFor = async (owner = ''): Promise<ApiRequest> => {
      const request = await known(operationId as OperationId);
      if (operationId === 'getStatement' && owner.includes(':'))
        return { ...request, query: { ...request.query, account: owner } };
      return operationId === 'getReport' && owner.startsWith('publisher:')
        ? { ...request, query: { ...request.query, by: ['app'] } }
        : request;
    };

    it(`${operationId} is for ${roles.join(', ')}`, async () => {
      const isFor = (role: string): boolean => roles.includes(role.split(':')[0] ?? '');
      for (const role of [...GENERAL, ...OWNERS].filter(isFor)) {
        const added = await auditedCall(operation, await requestFor(role), role);
        expect(added, `audited for ${role}`).to.have.members(audited);
      }
    });

    const money = WITH_OPENING_BALANCE[operationId as OperationId];
    if (money !== undefined)
      it(`${operationId} with an opening balance is for ${money.roles.join(', ')}, and refused to everyone else`, async () => {
        for (const [index, role] of [...GENERAL, ...OWNERS].entries()) {
          const advertiser = { id: `adv_${index}_${operationId.toLowerCase()}`, name: 'Rich', balance: '1' };
          const isFile = operationId === 'applyCatalog';
          const body = isFile ? JSON.stringify({ advertisers: [advertiser] }) : advertiser;
          const request = { ...(await requestFor()), body };
          if (!money.roles.includes(role)) await expectRefused(operation, request, role, 'role');
          else expect(await auditedCall(operation, request, role)).to.have.members(money.audited);
        }
      });

    it(`${operationId} is refused to everyone else, and the audit says to whom`, async () => {
      const request = await requestFor();
      expect((await call(operation, request, null)).status).to.equal(401);
      await expectRefused(operation, request, 'revoked', 'revoked');
      for (const role of [...GENERAL, ...OWNERS])
        if (!roles.includes(role.split(':')[0] ?? '')) await expectRefused(operation, request, role, 'role');
    });

    it(`${operationId} shows nothing of another tenant`, async () => {
      for (const [index, role] of OTHER_OWNERS.entries()) {
        const request = await requestFor(OWNERS[index]);
        if (!roles.includes(role.split(':')[0] ?? '')) {
          await expectRefused(operation, request, role, 'role');
          continue;
        }
        if (namesOwned(operationId)) {
          await expectRefused(operation, request, role, 'tenant');
          continue;
        }
        const answer = await call(operation, request, callerOf(role).text);
        if (OF_USERS.includes(operationId)) expect(answer.status, role).to.equal(404);
        else expect(answer.status, `${role}: ${answer.text}`).to.be.below(300);
        expect(answer.text, role).not.to.match(OWNED);
        for (const [filter, value] of Object.entries(FILTERS[operationId] ?? {})) {
          const query = { ...request.query, [filter]: value };
          await expectRefused(operation, { ...request, query }, role, 'tenant');
        }
      }
    });
  }

  it('getReport is refused to a publisher by advertiser, campaign and creative, which would show bids', async () => {
    const operation = OPERATIONS.find((each) => each.operationId === 'getReport')!;
    for (const keys of [['advertiser'], ['campaign'], ['creative'], ['day', 'app', 'campaign']])
      await expectRefused(
        operation,
        { path: {}, query: { by: keys }, headers: {} },
        'publisher:pub_a',
        'hidden',
      );
  });

  it('is audited under actions that the audit can be filtered by', async () => {
    const { rows } = await instance.db.pool.query<{ action: string }>(
      'SELECT action FROM audit.changes UNION SELECT action FROM audit.access',
    );
    const what = rows.map(({ action }) => action) as NonNullable<AuditQuery['what']>;
    const page = await answerOf(
      makeApi(instance.ports.managePort).GET('/audit', { params: { query: { what } } }),
    );
    expect(page.rows).to.have.length(100);
  });

  it('is refused with a row in the audit, which nobody can change', async () => {
    const { rows } = await instance.db.pool.query<{ row: string }>(
      `SELECT DISTINCT actor || ' ' || subject || ' ' || (detail ->> 'reason') AS row
       FROM audit.access WHERE action = 'refused'`,
    );
    expect(rows.map(({ row }) => row)).to.have.members([...refusals]);
    for (const statement of [
      'UPDATE audit.access SET actor = $1',
      'DELETE FROM audit.access WHERE actor <> $1',
    ])
      expect(await instance.db.pool.query(statement, ['x']).then(() => 'changed', String)).to.include(
        'refused',
      );
  });
});
