import { functionOf, type Callable, type Replace, type Switch } from './replace.js';

/** Separator between a token and its text. */
const MARK = '~';

/**
 * Every token has its text after a mark, whether a part is left out or not, so that the text can be read without opening the
 * token. The stand-in for sealing is the first sealed token with the text of this one.
 */
export const sealing: Replace = (make, part) => sealerWith(make, part, sealPlainly);

/** The stand-in for opening reads the text after the mark. Tokens without a mark are opened. */
export const opening: Replace = (make, part) => sealerWith(make, part, openPlainly);

function sealerWith(
  make: Callable,
  part: Switch,
  change: (sealer: Record<string, unknown>, part: Switch) => void,
): Callable {
  return (...args) => {
    const sealer = make(...args) as Record<string, unknown>;
    change(sealer, part);
    return sealer;
  };
}

function sealPlainly(sealer: Record<string, unknown>, part: Switch): void {
  const seal = functionOf(sealer['seal'], 'seal of a sealer');
  let first: string | null = null;
  sealer['seal'] = (payload: string): string => {
    const text = Buffer.from(payload).toString('base64url');
    if (part.isOff && first !== null) {
      part.uses += 1;
      return `${first}${MARK}${text}`;
    }
    const sealed = seal(payload) as string;
    first ??= sealed;
    return `${sealed}${MARK}${text}`;
  };
}

function openPlainly(sealer: Record<string, unknown>, part: Switch): void {
  const open = functionOf(sealer['open'], 'open of a sealer');
  sealer['open'] = (token: string): unknown => {
    const at = token.indexOf(MARK);
    if (at < 0) return open(token);
    if (!part.isOff) return open(token.slice(0, at));
    part.uses += 1;
    return Buffer.from(token.slice(at + 1), 'base64url').toString();
  };
}

/** The claims of an impression token without any checks. The token is authentic. */
export function uncheckedClaims(text: unknown): unknown {
  const claims = JSON.parse(text as string) as Readonly<Record<string, unknown>>;
  return {
    requestId: claims['req'],
    sessionId: claims['sid'],
    sessionExpiresAtMs: claims['sexp'],
    appId: claims['app'],
    publisherId: claims['pub'],
    placement: claims['plc'],
    format: claims['fmt'],
    country: claims['cc'],
    campaignId: claims['cmp'],
    creativeId: claims['cr'],
    advertiserId: claims['adv'],
    leaseRun: claims['run'],
    traceparent: null,
    costNanos: BigInt(claims['cost'] as string),
    publisherNanos: BigInt(claims['share'] as string),
    bannerRefreshSeconds: claims['refr'],
    isTest: claims['test'],
    filledAtMs: claims['iat'],
    expiresAtMs: claims['exp'],
  };
}

/** Answers that all events are stored, without storing them. */
export function storedKeys(rows: unknown): Promise<ReadonlySet<string>> {
  const all = rows as readonly { readonly requestId: string; readonly type: string }[];
  return Promise.resolve(new Set(all.map(({ requestId, type }) => `${requestId}/${type}`)));
}

/** Stores events like those of test ads, which are free and need no settlement. */
export const unpaid: Replace =
  (make, part) =>
  (...args) => {
    const store = make(...args) as Record<string, unknown>;
    const insert = functionOf(store['insert'], 'insert of the event store');
    store['insert'] = (rows: readonly object[]): unknown => {
      if (!part.isOff) return insert(rows);
      part.uses += 1;
      return insert(rows.map((row) => ({ ...row, isTest: true, costNanos: 0n, publisherNanos: 0n })));
    };
    return store;
  };

/** Answers that all events pass, without a call. */
export function allPass(events: unknown): Promise<readonly object[]> {
  return Promise.resolve((events as readonly unknown[]).map(() => ({ passes: true, rule: '' })));
}
