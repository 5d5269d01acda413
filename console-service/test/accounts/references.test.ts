import { AppError } from '@placard/service-kit';
import { plainKey } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';

const ADVERTISER = 'adv_northwind';
const ACCOUNT = `advertiser:${ADVERTISER}`;

/** A reference, another that looks like it, and the fault of the other. */
const LOOK_ALIKES: readonly (readonly [plain: string, other: string, said: string])[] = [
  ['INV7', 'INV7\u3164', 'U+3164 (cannot be seen) at character 5'],
  ['INV7', 'INV7\u2800', 'U+2800 (cannot be seen) at character 5'],
  ['INV7', 'INV7\u034f', 'U+034F (cannot be seen) at character 5'],
  ['INV7', 'INV7\ufe0f', 'U+FE0F (cannot be seen) at character 5'],
  ['INV7', 'INV\u200b7', 'U+200B (cannot be seen) at character 4'],
  ['INV7', 'INV\u00ad7', 'U+00AD (cannot be seen) at character 4'],
  ['INV7', '\u202dINV7', 'U+202D (cannot be seen) at character 1'],
  ['INV7', 'INV7\u{e0020}', 'U+E0020 (cannot be seen) at character 5'],
  ['INV 7', 'INV\u00a07', 'U+00A0 (a blank that is not U+0020) at character 4'],
  ['INV 7', 'INV\u30007', 'U+3000 (a blank that is not U+0020) at character 4'],
  ['INV-7', 'INV\u20117', 'U+2011 (looks like another character) at character 4'],
  ['INV7', 'INV7\u001b', 'U+001B (a control character) at character 5'],
  ['INV7', 'INV7 ', 'begin or end with a blank'],
];

describe('a reference', () => {
  let instance: TestConsole;
  before(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  beforeEach(async () => {
    await instance.db.pool.query('TRUNCATE accounts.deposits, accounts.adjustments');
    for (const booked of [instance.events.booked, instance.events.adjusted]) booked.clear();
  });
  after(() => instance.close());

  const deposit = (reference: string, amount = '1', advertiserId = ADVERTISER) =>
    instance.client.deposit({ advertiserId, amount, reference });
  const adjust = (reference: string, reason = 'Ticket 4', account = ACCOUNT) =>
    instance.client.adjust({ account, amount: '1', reference, reason });
  const refusalOf = async (call: Promise<unknown>): Promise<string> => {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return error instanceof AppError ? `${error.code}: ${error.publicText}` : 'no refusal';
  };
  /** Stores references like a release that compared them by code points. */
  const storeAsBefore = (...references: readonly string[]) =>
    instance.db.pool.query(
      `INSERT INTO accounts.deposits (reference, advertiser_id, amount_nanos, made_at)
       SELECT reference, $2, 1000000000, now() FROM unnest($1::text[]) AS reference`,
      [references, ADVERTISER],
    );

  it('that looks like a booked one is refused with the place of the difference', async () => {
    for (const plain of new Set(LOOK_ALIKES.map(([reference]) => reference))) {
      expect(await deposit(plain)).to.deep.equal({ isNew: true });
      expect(await adjust(plain)).to.deep.equal({ isNew: true });
    }
    for (const [plain, other, said] of LOOK_ALIKES) {
      const where = JSON.stringify([plain, other]);
      expect(await refusalOf(deposit(other)), where)
        .to.match(/^invalid_argument: /)
        .and.to.contain(said);
      expect(await refusalOf(adjust(other)), where)
        .to.match(/^invalid_argument: /)
        .and.to.contain(said);
    }
    const { rows } = await instance.db.pool.query(
      'SELECT FROM accounts.deposits UNION ALL SELECT FROM accounts.adjustments',
    );
    expect(rows).to.have.length(6);
  });

  it('is equal in composed and decomposed form, and is booked composed', async () => {
    expect(await deposit('Re\u0301f')).to.deep.equal({ isNew: true });
    expect(await deposit('R\u00e9f')).to.deep.equal({ isNew: false });
    expect(await adjust('R\u00e9f', 'e\u0301tat')).to.deep.equal({ isNew: true });
    expect(await adjust('Re\u0301f', '\u00e9tat')).to.deep.equal({ isNew: false });
    await instance.client.getBalances();
    expect([...instance.events.booked.keys()]).to.deep.equal(['R\u00e9f']);
    expect(instance.events.adjusted.get('R\u00e9f')).to.include({ reason: '\u00e9tat' });
  });

  it('that an earlier release accepted stays booked, and a look-alike is not booked beside it', async () => {
    await storeAsBefore('INV7\u3164', 'Re\u0301f', 'INV\u00a08', 'INV\u20119');
    for (const reference of ['INV7', 'R\u00e9f', 'Re\u0301f', 'INV 8', 'INV-9']) {
      expect(await deposit(reference), reference).to.deep.equal({ isNew: false });
      expect(await refusalOf(deposit(reference, '2')), reference).to.match(/^conflict: /);
    }
    expect(await refusalOf(deposit('INV7\u3164'))).to.contain('U+3164');
    expect(await deposit('INV7x')).to.deep.equal({ isNew: true });
  });

  it('that an earlier release accepted in two spellings is found by the typed one', async () => {
    await storeAsBefore('INV7\u200b', 'INV7');
    await instance.db.pool.query("UPDATE accounts.deposits SET amount_nanos = 5 WHERE reference <> 'INV7'");
    expect(await deposit('INV7')).to.deep.equal({ isNew: false });
  });

  it('that an earlier release accepted and did not book is booked unchanged', async () => {
    await storeAsBefore('INV7\u3164');
    await instance.client.getBalances();
    expect([...instance.events.booked.keys()]).to.deep.equal(['INV7\u3164']);
  });

  it('of an earlier adjustment is the same when reason and reference look the same', async () => {
    await instance.db.pool.query(
      `INSERT INTO accounts.adjustments (reference, account_kind, account_id, amount_nanos, reason, made_at)
       VALUES ($1, 'advertiser', $2, 1000000000, $3, now())`,
      ['T\u00ad-1', ADVERTISER, 'late\u00a0payment '],
    );
    expect(await adjust('T-1', 'late payment')).to.deep.equal({ isNew: false });
    expect(await refusalOf(adjust('T-1', 'late'))).to.match(/^conflict: /);
  });

  it('is checked like reasons, accounts and advertisers, and the fault names which', async () => {
    expect(await refusalOf(adjust('T-1', 'late\u202e'))).to.contain('the reason must not hold U+202E');
    expect(await refusalOf(adjust('T-1', ' late'))).to.contain(
      'the reason must not begin or end with a blank',
    );
    expect(await refusalOf(adjust('T-1', 'late', `${ACCOUNT}\u200b`))).to.contain(
      'the account must not hold U+200B',
    );
    expect(await refusalOf(deposit('T-1', '1', 'adv\u200b'))).to.contain(
      'the advertiser must not hold U+200B',
    );
    expect(
      await refusalOf(instance.client.getStatement({ account: `${ADVERTISER}\u2060`, month: '2026-11' })),
    ).to.contain('the account must not hold U+2060');
  });

  it('has the same key in the database and in the program', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom(
        'e\u0301',
        '\u3164',
        '\u2800',
        '\u00a0',
        '\u2011',
        ' ',
        '\u1100\u1161',
        '\u{e0100}',
        'a',
      ),
      fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code)),
    );
    const texts = fc
      .sample(fc.array(piece, { maxLength: 6 }), { numRuns: 5_000, seed: 7 })
      .map((pieces) => pieces.join('').replaceAll(/\0|\p{Cs}/gu, ''));
    for (const unseen of LOOK_ALIKES) texts.push(unseen[1]);
    const { rows } = await instance.db.pool.query<{ key: string }>(
      'SELECT accounts.reference_key(text) AS key FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place',
      [texts],
    );
    const differing = texts.flatMap((text, index) => {
      const key = rows[index]?.key ?? '';
      return key === plainKey(text) ? [] : [JSON.stringify([text, key, plainKey(text)])];
    });
    expect(differing).to.deep.equal([]);
  });
});
