import { z } from 'zod';
import { appError } from '../process/errors.js';
import {
  AD_FORMATS,
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  asRequestId,
  asSessionId,
  type ImpressionClaims,
  type SessionClaims,
} from '../pure/index.js';

/** The issuer of every token. */
const ISSUER = 'placard';

const instant = z.int().nonnegative();
/** Amounts are decimal text: a JSON number is exact only up to 2^53. */
const amount = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,18})$/)
  .transform(BigInt);

const sessionText = z.object({
  iss: z.literal(ISSUER),
  kind: z.literal('session'),
  sid: z.string().transform(asSessionId),
  app: z.string().transform(asAppId),
  pkg: z.string(),
  test: z.boolean(),
  iat: instant,
  exp: instant,
});

const impressionText = z.object({
  iss: z.literal(ISSUER),
  kind: z.literal('impression'),
  req: z.string().transform(asRequestId),
  sid: z.string().transform(asSessionId),
  sexp: instant,
  app: z.string().transform(asAppId),
  pub: z.string().transform(asPublisherId),
  plc: z.string().transform(asPlacementCode),
  fmt: z.enum(AD_FORMATS),
  cc: z.string().nullable(),
  cmp: z.string().transform(asCampaignId),
  cr: z.string().transform(asCreativeId),
  adv: z.string().transform(asAdvertiserId),
  /** Missing in tokens of releases without leases. */
  run: z.string().default(''),
  cost: amount,
  share: amount,
  /** Missing when the ad request is not traced. */
  tp: z.string().optional(),
  refr: z.int().nonnegative(),
  test: z.boolean(),
  iat: instant,
  exp: instant,
});

/** Encodes the claims of a session token as JSON. Names are short, because every request carries the text. */
export function writeSessionClaims(claims: SessionClaims): string {
  const text: z.input<typeof sessionText> = {
    iss: ISSUER,
    kind: 'session',
    sid: claims.sessionId,
    app: claims.appId,
    pkg: claims.packageName,
    test: claims.isTest,
    iat: claims.issuedAtMs,
    exp: claims.expiresAtMs,
  };
  return JSON.stringify(text);
}

/**
 * Decodes the claims of a session token. Null: the text is not from a session token. Error `unavailable`: it is from a
 * newer release and has a value that is unknown here. Contract: docs/contract/newer-values.md#tokens.
 */
export function readSessionClaims(text: string): SessionClaims | null {
  const claims = read(sessionText, 'session', text);
  if (claims === null) return null;
  const { sid, app, pkg, test, iat, exp } = claims;
  return { sessionId: sid, appId: app, packageName: pkg, isTest: test, issuedAtMs: iat, expiresAtMs: exp };
}

/** Encodes the claims of an impression token as JSON. */
export function writeImpressionClaims(claims: ImpressionClaims): string {
  const text: z.input<typeof impressionText> = {
    iss: ISSUER,
    kind: 'impression',
    req: claims.requestId,
    sid: claims.sessionId,
    sexp: claims.sessionExpiresAtMs,
    app: claims.appId,
    pub: claims.publisherId,
    plc: claims.placement,
    fmt: claims.format,
    cc: claims.country,
    cmp: claims.campaignId,
    cr: claims.creativeId,
    adv: claims.advertiserId,
    run: claims.leaseRun,
    cost: claims.costNanos.toString(),
    share: claims.publisherNanos.toString(),
    tp: claims.traceparent ?? undefined,
    refr: claims.bannerRefreshSeconds,
    test: claims.isTest,
    iat: claims.filledAtMs,
    exp: claims.expiresAtMs,
  };
  return JSON.stringify(text);
}

/**
 * Decodes the claims of an impression token. Null: the text is not from an impression token. Error `unavailable`: it is
 * from a newer release and has a value that is unknown here. Contract: docs/contract/newer-values.md#tokens.
 */
export function readImpressionClaims(text: string): ImpressionClaims | null {
  const claims = read(impressionText, 'impression', text);
  if (claims === null) return null;
  return {
    requestId: claims.req,
    sessionId: claims.sid,
    sessionExpiresAtMs: claims.sexp,
    appId: claims.app,
    publisherId: claims.pub,
    placement: claims.plc,
    format: claims.fmt,
    country: claims.cc,
    campaignId: claims.cmp,
    creativeId: claims.cr,
    advertiserId: claims.adv,
    leaseRun: claims.run,
    costNanos: claims.cost,
    publisherNanos: claims.share,
    traceparent: claims.tp ?? null,
    bannerRefreshSeconds: claims.refr,
    isTest: claims.test,
    filledAtMs: claims.iat,
    expiresAtMs: claims.exp,
  };
}

/** The tokens of this product. Each kind has these two claims in every release. */
const anyText = z.object({ iss: z.literal(ISSUER), kind: z.string() });

function read<Claims>(schema: z.ZodType<Claims>, kind: string, text: string): Claims | null {
  const json = parseJson(text);
  const known = schema.safeParse(json);
  if (known.success) return known.data;
  const any = anyText.safeParse(json);
  if (any.success && any.data.kind === kind) {
    throw appError('unavailable', 'The token is from a newer release.', { cause: known.error });
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
