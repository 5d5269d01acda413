import {
  asAppId,
  asCampaignId,
  type Campaign,
  type Creative,
  type SelectionStep,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import {
  aCampaign,
  aCatalog,
  aCreative,
  anAdRequest,
  anAdvertiser,
  anApp,
  NOON,
} from '../../../test/support/world.js';
import type { SkipReason } from '../../budgets/domain/skip-reason.js';
import { campaignUnit, NO_COUNTS } from '../../caps/domain/caps.js';
import { toIndexed, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { toQuery } from '../../selection/domain/select.js';
import { judge, toCandidates } from './explained-request.js';
import { lostStep, type ExplainedFacts } from './first-loss.js';

const PROBE = asCampaignId('cmp_probe');
const RIVAL = asCampaignId('cmp_rival');
const CAP = { count: 2, period: 'session' } as const;

/** A campaign that can get the request, with changes. */
function probe({
  campaign = {},
  creative = {},
  advertiser = {},
}: {
  readonly campaign?: Partial<Campaign>;
  readonly creative?: Partial<Creative>;
  readonly advertiser?: Parameters<typeof anAdvertiser>[0];
} = {}): IndexedCampaign {
  const catalog = aCatalog({
    advertisers: [anAdvertiser(advertiser)],
    campaigns: [aCampaign({ id: PROBE, costNanos: 1_000n, ...campaign })],
    creatives: [aCreative({ campaignId: PROBE, width: 320, height: 50, ...creative })],
  });
  const entry = toIndexed(catalog, PROBE);
  if (entry === null) throw new Error('the campaign is not indexed');
  return entry;
}

/** A request that the campaign does not win. */
function facts(changes: Partial<ExplainedFacts> = {}): ExplainedFacts {
  const request = { ...anAdRequest(), country: 'DE', language: 'de', androidVersion: '14' };
  return {
    atMs: NOON,
    format: 'banner',
    query: toQuery(request, anApp({ category: 'games' })),
    screen: { width: 320, height: null },
    endedAt: null,
    counts: NO_COUNTS,
    areCountsKnown: true,
    winner: RIVAL,
    skipReason: () => null,
    leftOf: () => ({ totalNanos: null, dailyNanos: null }),
    ...changes,
  };
}

const skipped = (reason: SkipReason) => facts({ skipReason: () => reason });
const capped = facts({ counts: new Map([[campaignUnit(PROBE), 2]]) });

/** Each cause with its step and the words that an operator reads. */
const CAUSES: readonly (readonly [string, SelectionStep, RegExp, IndexedCampaign, ExplainedFacts?])[] = [
  ['it is paused', 'status', /is paused/, probe({ campaign: { status: 'paused' } })],
  [
    'it starts later',
    'schedule',
    /starts at 2026-05-01T12:00:00.001Z/,
    probe({ campaign: { startsAtMs: NOON + 1 } }),
  ],
  ['it has ended', 'schedule', /ended at 2026-05-01T12:00:00.000Z/, probe({ campaign: { endsAtMs: NOON } })],
  [
    'its advertiser is not approved',
    'approval',
    /adv_north is not/,
    probe({ advertiser: { isApproved: false } }),
  ],
  ['no creative is approved', 'creative', /No creative/, probe({ creative: { isApproved: false } })],
  ['no creative has the format', 'format', /it has rewarded/, probe({ creative: { format: 'rewarded' } })],
  ['no banner fits the screen', 'format', /fits the screen/, probe({ creative: { width: 321 } })],
  [
    'it targets other apps',
    'app',
    /app_puzzle; .* app_chess/,
    probe({ campaign: { appIds: [asAppId('app_chess')] } }),
  ],
  ['the app is switched off', 'app', /serving_enabled of the app is off/, probe(), facts({ endedAt: 'app' })],
  [
    'everything is switched off',
    'app',
    /global switch serving_enabled/,
    probe(),
    facts({ endedAt: 'global' }),
  ],
  [
    'it targets other categories',
    'category',
    /games; .* news/,
    probe({ campaign: { appCategories: ['news'] } }),
  ],
  [
    'it targets other countries',
    'country',
    /DE; .* AT, CH/,
    probe({ campaign: { countries: ['AT', 'CH'] } }),
  ],
  ['it targets other languages', 'language', /de; .* pt/, probe({ campaign: { languages: ['pt'] } })],
  [
    'it targets other Android versions',
    'android_version',
    /14; .* 10, 11/,
    probe({ campaign: { androidVersions: [10, 11] } }),
  ],
  [
    'the session has seen it',
    'cap',
    /2 of 2 fills per session/,
    probe({ campaign: { frequencyCap: CAP } }),
    capped,
  ],
  ['the placement is capped', 'cap', /cap of the placement/, probe(), facts({ endedAt: 'cap' })],
  [
    'the advertiser has no funds',
    'balance',
    /balance of adv_north/,
    probe({ advertiser: { fundedNanos: 999n } }),
  ],
  ['the balance is spent', 'balance', /balance of adv_north/, probe(), skipped('balance')],
  ['its money could not be asked for', 'balance', /reserved in time/, probe(), skipped('unknown')],
  [
    'the total budget is below one ad',
    'budget_total',
    /total/,
    probe({ campaign: { budgetTotalNanos: 999n } }),
  ],
  ['the total budget is spent', 'budget_total', /total/, probe(), skipped('total')],
  [
    'the daily budget is below one ad',
    'budget_daily',
    /daily/,
    probe({ campaign: { budgetDailyNanos: 999n } }),
  ],
  ['the daily budget is spent', 'budget_daily', /daily/, probe(), skipped('day')],
  ['it is ahead of its plan', 'pacing', /ahead of its plan/, probe(), skipped('pace')],
  ['another campaign bids more', 'outbid', /cmp_rival won/, probe()],
];

describe('the step at which a campaign loses a request', () => {
  for (const [cause, step, why, entry, given = facts()] of CAUSES) {
    it(`is ${step} when ${cause}`, () => {
      expect(lostStep(entry, given, 1_001)).to.equal(step);
      expect(toCandidates(judge([entry], given, 1_001), given)[0]?.why).to.match(why);
    });
  }

  it('is none for the winner', () => {
    expect(lostStep(probe(), facts({ winner: PROBE }), 1_000)).to.equal(null);
  });

  it('is the first of several in the order of selection', () => {
    const entry = probe({ campaign: { status: 'ended', countries: ['AT'] } });
    expect(lostStep(entry, skipped('total'), 1_001)).to.equal('status');
  });

  it('is outbid by a winner with the same bid, and balance when the winner bids less', () => {
    expect(lostStep(probe(), facts(), 1_000)).to.equal('outbid');
    expect(lostStep(probe(), facts(), 999)).to.equal('balance');
    expect(lostStep(probe(), facts({ winner: null }), null)).to.equal('balance');
  });
});

describe('the candidates of an explanation', () => {
  it('have the winner first, then those that came furthest, then the higher bid', () => {
    const ids = ['cmp_a', 'cmp_b', 'cmp_c', 'cmp_d'].map(asCampaignId);
    const catalog = aCatalog({
      campaigns: [
        aCampaign({ id: ids[0]!, status: 'paused', costNanos: 9_000n }),
        aCampaign({ id: ids[1]!, costNanos: 1_000n }),
        aCampaign({ id: ids[2]!, costNanos: 2_000n }),
        aCampaign({ id: ids[3]!, costNanos: 3_000n }),
      ],
    });
    const entries = ids.map((id) => toIndexed(catalog, id)!);
    const given = facts({ winner: ids[3]! });
    const named = toCandidates(judge(entries, given, 3_000), given);
    expect(named.map(({ campaignId, lostAt }) => [campaignId, lostAt])).to.deep.equal([
      ['cmp_d', null],
      ['cmp_c', 'outbid'],
      ['cmp_b', 'outbid'],
      ['cmp_a', 'status'],
    ]);
  });

  it('have the used part of the cap, and what is left of the budgets', () => {
    const limits = { budgetTotalNanos: 9_000n, budgetDailyNanos: 2_000n };
    const entry = probe({ campaign: { ...limits, frequencyCap: CAP } });
    const shown = (changes: Partial<ExplainedFacts>) => {
      const given = facts(changes);
      const [one] = toCandidates(judge([entry], given, 1_001), given);
      return [one?.capUsed, one?.left.totalNanos, one?.left.dailyNanos];
    };
    const left = { totalNanos: 4_000n, dailyNanos: -1n };
    expect(shown({ counts: new Map([[campaignUnit(PROBE), 1]]), leftOf: () => left })).to.deep.equal([
      1,
      4_000n,
      0n,
    ]);
    expect(shown({ areCountsKnown: false })).to.deep.equal([null, null, null]);
    const [plain] = toCandidates(judge([probe()], facts(), 1_001), facts());
    expect(plain?.capUsed, 'without a cap').to.equal(null);
  });
});
