import { AccountKind, type MonthStatement } from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { runCommand } from '../support/run-command.js';

const ZERO = '0.000000000';

function statement(number: bigint, changes: Partial<MonthStatement>): MonthStatement {
  return {
    number,
    kind: AccountKind.PLATFORM,
    accountId: 'platform',
    opening: ZERO,
    impressions: ZERO,
    deposits: ZERO,
    adjustments: ZERO,
    payouts: ZERO,
    refunds: ZERO,
    closing: ZERO,
    due: '',
    open: '',
    ...changes,
  };
}

describe('placard pays out', () => {
  let instance: TestConsole;
  beforeEach(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  afterEach(() => instance.close());

  const run = (...args: readonly string[]) => runCommand(args, instance.commandEnv);

  it('to a publisher and back to an advertiser, once per reference', async () => {
    const payout = ['publisher', 'payout', 'pub_sunrise', '5.25', '--reference', 'PAY-1'];
    expect((await run(...payout)).out).to.equal('paid 5.250000000 USD to pub_sunrise (reference PAY-1)\n');
    expect((await run(...payout)).out).to.equal(
      'reference PAY-1 is booked already with this amount for pub_sunrise; nothing to do\n',
    );
    const refund = await run('advertiser', 'refund', 'advertiser:adv_northwind', '1', '--reference', 'PAY-1');
    expect(refund.out).to.equal('refunded 1.000000000 USD to advertiser:adv_northwind (reference PAY-1)\n');
    expect(instance.events.transferred.size).to.equal(2);
  });

  it('nothing that the ledger refuses, and says why', async () => {
    instance.events.transferRefusal = 'The balance of publisher pub_sunrise is 1.000000000.';
    const refused = await run('publisher', 'payout', 'pub_sunrise', '5', '--reference', 'PAY-1');
    expect(refused).to.include({ status: 1, out: '' });
    expect(refused.err).to.contain(
      'The payout of 5.000000000 USD is refused: The balance of publisher pub_sunrise is 1.000000000.',
    );
  });

  it('what is due when a month is closed, and shows the numbered statements', async () => {
    expect((await run('ledger', 'statements', '2026-11')).err).to.contain('The month is open.');
    instance.events.monthStatements = [
      statement(7n, { closing: '1.000000000' }),
      statement(8n, {
        kind: AccountKind.PUBLISHER,
        accountId: 'pub_sunrise',
        closing: '5.000000000',
        due: '4.000000000',
        open: '1.500000000',
      }),
    ];
    const closed = await run('ledger', 'close', '2026-11', '--minimum-payout', '3');
    expect(closed.status).to.equal(0);
    expect(closed.out).to.match(
      /^2026-11 was closed already: .*\n.*due USD +open USD\n8 .*publisher:pub_sunrise.* 4\.0{9} +1\.50{8}\n$/,
    );
    expect(instance.events.closes.map(({ minimumPayoutNanos }) => minimumPayoutNanos)).to.deep.equal([
      3_000_000_000n,
    ]);
    const csv = (await run('ledger', 'statements', '2026-11', '--format', 'csv')).out.split('\r\n');
    expect(csv[0]).to.contain('month,currency,number,account,opening_balance');
    expect(csv[2]).to.match(
      /^2026-11,USD,8,publisher:pub_sunrise,.*,5\.000000000,4\.000000000,1\.500000000$/,
    );
    const json = JSON.parse(
      (await run('ledger', 'statements', '2026-11', '--due', '--format', 'json')).out,
    ) as {
      readonly currency: string;
      readonly rows: readonly { readonly number: number }[];
    };
    expect(json.currency).to.equal('USD');
    expect(json.rows.map(({ number }) => number)).to.deep.equal([8]);
    const { rows } = await instance.db.pool.query("SELECT FROM audit.changes WHERE action = 'closed'");
    expect(rows).to.have.length(1);
  });

  it('and asks before an adjustment that is large or leaves less than nothing', async () => {
    const adjust = (amount: string, ...more: readonly string[]) =>
      run('ledger', 'adjust', 'adv_northwind', amount, '--reason', 'x', '--reference', `T${amount}`, ...more);
    expect((await adjust('-500.5')).err).to.contain(
      'The adjustment leaves advertiser:adv_northwind with -0.500000000 USD. ' +
        'If you want that, confirm it (--yes, confirm=true).',
    );
    expect((await adjust('1000.1')).err).to.contain(
      'moves more than 1,000 USD: 1000.100000000 USD for advertiser:adv_northwind',
    );
    expect((await adjust('1000.1', '--yes')).status).to.equal(0);
    expect((await adjust('1000.1')).status).to.equal(0);
    expect((await adjust('-5')).status).to.equal(0);
  });
});
