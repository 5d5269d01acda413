import { until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { EXAMPLE } from './support/catalog-text.js';
import { openTestConsole, type TestConsole } from './support/console.js';
import { ADMIN_KEY } from './support/manage-client.js';

const DEPOSITS = '/advertisers/adv_northwind/deposits';
const DEPOSIT = { amount: '25', reference: 'INV7' };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | null;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

describe('the management API', () => {
  let instance: TestConsole;
  before(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  after(() => instance.close());
  beforeEach(async () => {
    await instance.db.pool.query('TRUNCATE accounts.deposits, manage.requests');
    instance.events.booked.clear();
  });

  const call = async (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${instance.ports.managePort}/manage/v1${path}`, {
      ...sent,
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, ...sent.headers },
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const json = (body: unknown, headers: Sent['headers'] = {}): Sent => ({
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const deposit = (key: string, body: unknown = DEPOSIT, signal: Sent['signal'] = null): Promise<Answer> =>
    call('POST', DEPOSITS, { ...json(body, { 'Idempotency-Key': key }), signal });
  const expectProblem = (answer: Answer, status: number, code: string): void => {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
    expect(answer.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(answer.headers.get('cache-control')).to.equal('no-store, private');
    expect(answer.body).to.include({
      status,
      code,
      type: 'about:blank',
      request_id: answer.headers.get('x-request-id'),
    });
  };
  const depositCount = async (): Promise<number> =>
    (await instance.db.pool.query('SELECT FROM accounts.deposits')).rows.length;

  it('answers nothing without a key, whether or not there is something', async () => {
    for (const path of ['/ledger/balances', '/openapi.json', '/nothing']) {
      expectProblem(await call('GET', path, { headers: { Authorization: '' } }), 401, 'unauthenticated');
    }
  });

  it('shows its document to the holder of a key', async () => {
    const { status, body } = await call('GET', '/openapi.json');
    expect(status).to.equal(200);
    expect(body)
      .to.have.property('openapi')
      .that.matches(/^3\.1\./);
  });

  it('refuses unknown paths and methods', async () => {
    expectProblem(await call('GET', '/nothing'), 404, 'not_found');
    const answer = await call('DELETE', DEPOSITS);
    expectProblem(answer, 405, 'invalid_argument');
    expect(answer.headers.get('allow')).to.equal('POST');
  });

  it('names each fault of a body, and changes nothing', async () => {
    const answer = await deposit('k1', { amount: 25, refrence: 'INV7' });
    expectProblem(answer, 422, 'invalid_argument');
    const { errors } = answer.body as { readonly errors: readonly { readonly field: string }[] };
    expect(errors.map(({ field }) => field)).to.have.members(['amount', 'reference', 'refrence']);
    expect(await depositCount()).to.equal(0);
  });

  it('refuses a body that is no JSON, empty, of another type, or too large', async () => {
    const headers = { 'Idempotency-Key': 'k1', 'Content-Type': 'application/json' };
    expectProblem(await call('POST', DEPOSITS, { body: '{', headers }), 400, 'invalid_argument');
    expectProblem(await call('POST', DEPOSITS, { body: '', headers }), 400, 'invalid_argument');
    const text = { ...headers, 'Content-Type': 'text/plain' };
    expectProblem(await call('POST', DEPOSITS, { body: '{}', headers: text }), 415, 'invalid_argument');
    const large = JSON.stringify({ ...DEPOSIT, reference: 'x'.repeat(1024 * 1024) });
    expectProblem(await call('POST', DEPOSITS, { body: large, headers }), 413, 'invalid_argument');
    expect(await depositCount()).to.equal(0);
  });

  it('refuses a body that is too deep, whoever sends it', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' };
    for (const [path, depth, own] of [
      ['/sessions', 3_000, { Authorization: '' }],
      [DEPOSITS, 100_000, {}],
    ] as const) {
      const body = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const answer = await call('POST', path, { body, headers: { ...headers, ...own } });
      expectProblem(answer, 400, 'invalid_argument');
      const detail = 'The body has more than 32 levels of lists and objects.';
      expect(answer.body).to.have.property('detail', detail);
    }
  });

  it('refuses a body with a member twice, and names it', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' };
    const body = '{"amount":"1","reference":"o1","amount":"2"}';
    const answer = await call('POST', DEPOSITS, { body, headers });
    expectProblem(answer, 422, 'invalid_argument');
    const errors = [{ field: 'amount', detail: 'must be given once' }];
    expect(answer.body).to.have.deep.property('errors', errors);
    expect(await depositCount()).to.equal(0);
  });

  it('requires an idempotency key of a call that moves money', async () => {
    const answer = await call('POST', DEPOSITS, json(DEPOSIT));
    expectProblem(answer, 422, 'invalid_argument');
    expect(answer.body).to.have.nested.property('errors[0].field', 'Idempotency-Key');
    expectProblem(await deposit('k'.repeat(201)), 422, 'invalid_argument');
    expect(await depositCount()).to.equal(0);
  });

  it('repeats its answer to the same key, and books once', async () => {
    const first = await deposit('k1');
    expect(first).to.deep.include({ status: 200, body: { is_new: true, currency: 'USD' } });
    expect(await deposit('k1')).to.deep.include({ status: 200, body: { is_new: true, currency: 'USD' } });
    // A new key shows that the deposit itself is known.
    expect(await deposit('k2')).to.deep.include({ status: 200, body: { is_new: false, currency: 'USD' } });
    expect(await depositCount()).to.equal(1);
  });

  it('refuses a used key with another request, and changes nothing', async () => {
    await deposit('k1');
    expectProblem(await deposit('k1', { ...DEPOSIT, reference: 'INV8' }), 422, 'invalid_argument');
    expect(await depositCount()).to.equal(1);
  });

  it('gives the answer that a lost connection missed', async () => {
    const leaving = new AbortController();
    const lost = deposit('k1', DEPOSIT, leaving.signal).catch(() => null);
    await until(async () => (await depositCount()) === 1);
    leaving.abort();
    await lost;
    let again = await deposit('k1');
    while (again.status === 409) again = await deposit('k1');
    expect(again).to.deep.include({ status: 200, body: { is_new: true, currency: 'USD' } });
    expect(await depositCount()).to.equal(1);
  });

  it('frees the key of a refused request', async () => {
    expectProblem(await deposit('k1', { ...DEPOSIT, amount: '-1' }), 422, 'invalid_argument');
    expect(await deposit('k1')).to.deep.include({ status: 200, body: { is_new: true, currency: 'USD' } });
  });
});
