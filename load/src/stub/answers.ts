/** A token with the length of a real one. */
const TOKEN = 'x'.repeat(720);
const SESSION_MS = 3_600_000;
const AD_MS = 1_800_000;

type Answer = (request: Readonly<Record<string, unknown>>) => object;

/** Most impressions that are kept to answer `duplicate`. */
const SEEN_MAX = 200_000;
const seen = new Set<unknown>();

let count = 0;

const listOf = (request: Readonly<Record<string, unknown>>, field: string): readonly unknown[] => {
  const value = request[field];
  return Array.isArray(value) ? value : [];
};

/** Positive answers by method. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  StartSession: () => ({
    sessionToken: TOKEN,
    sessionExpiresAtMs: String(Date.now() + SESSION_MS),
    config: { servingEnabled: true, requestTimeoutMs: 1_000, fallbackEnabled: true, configTtlSeconds: 300 },
    placements: [],
  }),
  RequestAd: () => {
    count += 1;
    return { requestId: `req_${String(count).padStart(32, '0')}`, fill: fill() };
  },
  RecordImpression: ({ requestId }) => ({
    verdict: `EVENT_VERDICT_${isNew(requestId) ? 'ACCEPTED' : 'DUPLICATE'}`,
  }),
  RecordClick: () => ({ verdict: 'EVENT_VERDICT_ACCEPTED' }),
  RecordReward: () => ({ verdict: 'EVENT_VERDICT_ACCEPTED' }),
  JudgeAdRequest: () => ({ passes: true }),
  JudgeEvents: (request) => ({ judgements: listOf(request, 'events').map(() => ({ passes: true })) }),
  // Grants every want.
  ExchangeLeases: (request) => ({
    wants: listOf(request, 'wants').map((want) => ({
      verdict: 'LEASE_VERDICT_GRANTED',
      grantedNanos: (want as { readonly grantedMaxNanos: string }).grantedMaxNanos,
    })),
    peeks: listOf(request, 'peeks').map(() => ({ verdict: 'LEASE_VERDICT_GRANTED' })),
  }),
};

/** The stub's answer to a method. */
export function answerOf(method: string, request: object): object {
  return ANSWERS[method]?.(request as Readonly<Record<string, unknown>>) ?? {};
}

function isNew(requestId: unknown): boolean {
  if (seen.has(requestId)) return false;
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.add(requestId);
  return true;
}

function fill(): object {
  return {
    adId: `ad_${String(count).padStart(32, '0')}`,
    campaignId: 'cmp_stub',
    creativeId: 'cr_stub',
    format: 'AD_FORMAT_BANNER',
    creativeType: 'CREATIVE_TYPE_IMAGE',
    creativeUrl: 'https://cdn.example.com/cr_stub.png',
    clickUrl: 'https://shop.example.com/cr_stub',
    width: 320,
    height: 50,
    impressionToken: TOKEN,
    expiresAtMs: String(Date.now() + AD_MS),
  };
}
