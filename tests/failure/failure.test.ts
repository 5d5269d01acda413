import { expect } from 'chai';
import { compare, type Findings, type LedgerFacts } from './comparison.js';
import { Book } from './book.js';
import { plantDoubledBooking, plantMoneyGrantedTwice, plantSwallowedRow } from './planted.js';
import { planFaults } from './plan.js';
import { openRig, type Rig } from './rig.js';
import { figuresOf, findingLines, resultLines } from './result-table.js';
import { FailureRun, type RunResult } from './run.js';

/** A round that kills serving-service and both stores at once, kills both parts of the settlement, and shifts a clock. */
const SEED = Number(process.env['FAILURE_SEED'] ?? '8308');
const START_MS_MAX = 120_000;
/** Far more than a step takes on a quiet machine, which is less than 10 seconds. */
const STEP_MS_MAX = 180_000;
/** One whole round of the plan. */
const FAULTS = 12;
const ALL_ZERO = { lost: 0, doubled: 0, overspent: 0n, held: 0n, ledgerSum: 0n, other: 0 };

describe(`the product under faults (seed ${SEED})`, () => {
  let rig: Rig;
  let run: FailureRun;
  let result: RunResult;
  const said: string[] = [];

  before('the product runs', async () => {
    rig = await openRig({ seed: SEED, scale: 1, adTtlSeconds: 1_800, adsPerSecond: 12, holdMsMax: 20_000 });
  }).timeout(START_MS_MAX);
  after('the product is stopped', async () => {
    // They may never have started.
    (run as FailureRun | undefined)?.stop();
    await (rig as Rig | undefined)?.close();
  }).timeout(START_MS_MAX);

  function findingsFor(book: Book, facts: LedgerFacts): Findings {
    return compare(book, rig.market.terms, facts);
  }

  before('the phones run', async () => {
    const plan = planFaults(SEED, { holdMsMax: 2_500, hasLongStops: false });
    run = new FailureRun(rig, { plan, say: (text) => void said.push(text) });
    await run.begin();
  }).timeout(STEP_MS_MAX);
  for (let fault = 1; fault <= FAULTS; fault += 1)
    before(`fault ${fault} happens`, () => run.hurt()).timeout(STEP_MS_MAX);
  before('everything heals', () => run.heal()).timeout(STEP_MS_MAX);
  before('the phones show the ads that they hold', () => run.showRest()).timeout(STEP_MS_MAX);
  before('everything is settled', async () => {
    run.stop();
    result = await run.settle();
  }).timeout(STEP_MS_MAX);

  it('settles every accepted answer once, moves no other money, passes no limit and gives all money back', () => {
    const told = [...said, ...resultLines(result)].join('\n');
    expect(figuresOf(result.findings), told).to.deep.equal(ALL_ZERO);
    expect(result.book.counted('impressions accepted'), told).to.be.above(50);
    expect(result.findings.settled, told).to.be.above(50);
  });

  it('finds an accepted impression that is not in the ledger', () => {
    const { book, facts } = result;
    const id = lastPaid();
    const without = {
      ...facts,
      entries: facts.entries.filter((entry) => entry.transactionId !== id),
    };
    expect(findingsFor(book, without).lost).to.deep.equal([`impression ${id}`]);
  });

  it('finds a booking without an accepted impression', () => {
    const id = lastPaid();
    const forgetful = new Book();
    for (const fill of result.book.fills) forgetful.addFill(fill);
    for (const accepted of result.book.accepted('impression')) {
      forgetful.addOutcome('impression', accepted, accepted === id ? 'expired_token' : 'accepted');
    }
    expect(findingsFor(forgetful, result.facts).doubled).to.deep.equal([
      `impression ${id} is booked and was never accepted`,
    ]);
  });

  it('finds that a limit was exceeded by one nano-unit', () => {
    const { campaigns } = rig.market.terms;
    const campaignId = result.book.fill(lastPaid())!.campaignId;
    const campaign = campaigns.get(campaignId)!;
    const shown = result.facts.events.filter(
      (event) => event.type === 'impression' && event.campaignId === campaignId,
    );
    const totalNanos = campaign.costNanos * BigInt(shown.length) - 1n;
    const terms = {
      ...rig.market.terms,
      campaigns: new Map([...campaigns, [campaignId, { ...campaign, totalNanos }]]),
    };
    expect(compare(result.book, terms, result.facts).overspent).to.deep.equal([
      { limit: `total ${campaignId}`, byNanos: 1n },
    ]);
  });

  it('finds a stored impression that disappears before it is settled', async () => {
    const id = await plantSwallowedRow(rig);
    const findings = findingsFor(rig.book, await rig.facts());
    expect(findings.lost, findingLines(findings).join('\n')).to.deep.equal([`impression ${id}`]);
    expect(findings.doubled).to.deep.equal([]);
  }).timeout(STEP_MS_MAX);

  it('finds money that is granted twice', async () => {
    const { campaignId, shown } = await plantMoneyGrantedTwice(rig);
    const findings = findingsFor(rig.book, await rig.facts());
    const told = [`${shown} ads more`, ...findingLines(findings)].join('\n');
    const { costNanos } = rig.market.terms.campaigns.get(campaignId)!;
    expect(findings.overspent, told).to.have.length(1);
    expect(findings.overspent[0]?.limit, told).to.equal(`total ${campaignId}`);
    expect(Number(findings.overspent[0]!.byNanos), told).to.be.within(1, Number(costNanos) * shown);
    expect(findings.unexplained.join('\n')).to.include('ledger verify --full: budgets equal accepted spend');
  }).timeout(STEP_MS_MAX);

  it('finds a booking that is doubled, and accounts that do not sum to zero', async () => {
    await plantDoubledBooking(rig, lastPaid());
    const findings = findingsFor(rig.book, await rig.facts());
    expect(findings.doubled, findingLines(findings).join('\n')).to.have.length(1);
    expect(findings.ledgerSumNanos).to.equal(-1n);
    expect(findings.unexplained.join('\n')).to.include('platform/platform').and.to.include('ledger verify');
  }).timeout(STEP_MS_MAX);

  /** The last impression with a price. */
  function lastPaid(): string {
    const { transactionId } = result.facts.entries.filter((entry) => entry.kind === 'impression').at(-1)!;
    return transactionId;
  }
});
