import { ExplainedRequest } from '@placard/protos/explain/v1/explain.js';
import { asSessionId, makeRequestId, systemRandom } from '@placard/service-kit/pure';
import { NO_COUNTS } from '@placard/serving-service/caps/domain/caps.js';
import { toWireExplained } from '@placard/serving-service/explain/clients/explained-wire.js';
import { makeExplainRequests } from '@placard/serving-service/explain/usecase/explain-requests.js';
import { LossCounts } from '@placard/serving-service/explain/usecase/loss-counts.js';
import type { AnsweredRequest } from '@placard/serving-service/explain/usecase/request-sample.js';
import type { CampaignIndex } from '@placard/serving-service/selection/domain/campaign-index.js';
import { percentileOf, type SelectionTimes } from './figures.js';
import { winnerOf, type Wanted } from './measure-selection.js';

const WARMUP_ROUNDS = 2;
const ROUNDS = 3;
/** The losses are sent in a report about as often. */
const EXPLANATIONS_PER_REPORT = 20;
const LOSSES_MAX = 2_000;

/**
 * Explains all requests, several times: judges the campaigns, counts their losses and encodes the explanation. Calls of
 * Redis and events-service are not part of it.
 */
export async function measureExplain(
  index: CampaignIndex,
  wanted: readonly Wanted[],
): Promise<SelectionTimes> {
  const losses = new LossCounts();
  let bytes = 0;
  const explain = makeExplainRequests({
    random: systemRandom,
    index,
    headroom: { reasonOf: () => null, leftOf: () => ({ totalNanos: null, dailyNanos: null }) },
    exchanger: { look: () => undefined },
    caps: { counts: () => Promise.resolve(NO_COUNTS) },
    losses,
    kept: {
      push: (...requests) => {
        for (const one of requests) bytes += ExplainedRequest.encode(toWireExplained(one)).finish().length;
      },
    },
  });
  const answered = wanted.map((one) => answeredOf(index, one));
  const micros = new Float64Array(ROUNDS * answered.length);
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [at, one] of answered.entries()) {
      const startedAt = performance.now();
      await explain([{ isKept: true, weight: 100, answered: one }]);
      if (at % EXPLANATIONS_PER_REPORT === 0) losses.take(LOSSES_MAX);
      const tookMs = performance.now() - startedAt;
      if (round >= 0) micros[round * answered.length + at] = tookMs * 1_000;
    }
  }
  if (bytes === 0) throw new Error('nothing was explained');
  return { p50: percentileOf(micros, 50), p99: percentileOf(micros, 99) };
}

function answeredOf(index: CampaignIndex, wanted: Wanted): AnsweredRequest {
  const { request, app } = wanted;
  const winner = winnerOf(index, wanted);
  return {
    requestId: makeRequestId(0, systemRandom),
    atMs: 0,
    request,
    slot: { app, placement: { code: request.placement } },
    sessionId: asSessionId('ses_load'),
    result: winner === null ? 'no_eligible_campaign' : 'fill',
    winner,
    endedAt: null,
  };
}
