import type { Format } from '../market/vocabulary.js';
import { partialApi, type Api, type Code } from './api.js';
import { GrpcClients, loadService } from './grpc-client.js';
import type { Fill } from './phone.js';

/** Address of a service and number of connections to it. */
export interface GrpcOptions {
  /** `host:port`. */
  readonly address: string;
  readonly connections: number;
}

interface AdAnswer {
  readonly requestId: string;
  readonly result: 'fill' | 'noFill';
  readonly fill?: { readonly impressionToken: string };
  readonly noFill?: { readonly reason: string };
}

interface Judgement {
  readonly passes: boolean;
  readonly rule: string;
}

const BANNER_REFRESH_SECONDS = 30;

const formatName = (format: Format): string => `AD_FORMAT_${format.toUpperCase()}`;

/** The API of session-service. */
export function openSessionApi({ address, connections }: GrpcOptions): Api {
  const clients = new GrpcClients(address, loadService('session', 'SessionService'), connections);
  const startSession = clients.method<object, { readonly sessionToken: string }>('StartSession');
  return partialApi({
    async initialize({ app, androidVersion }, written) {
      const fields = {
        appKey: app.app_key,
        packageName: app.package_name,
        sdkVersion: '2.4.0',
        appVersion: '1.0.7',
        osVersion: androidVersion,
      };
      const { answer, code } = await startSession(fields, written);
      return answer === null ? { code, token: '' } : { code: 'started', token: answer.sessionToken };
    },
    close: () => clients.close(),
  });
}

/** The API of serving-service. */
export function openServingApi({ address, connections }: GrpcOptions): Api {
  const clients = new GrpcClients(address, loadService('serving', 'ServingService'), connections);
  const requestAd = clients.method<object, AdAnswer>('RequestAd');
  return partialApi({
    async request(phone, placement, written) {
      const fields = {
        appKey: phone.app.app_key,
        placement: placement.code,
        format: formatName(placement.format),
        sessionToken: phone.token,
        language: phone.language,
        androidVersion: phone.androidVersion,
        screenWidth: phone.screen[0],
        screenHeight: phone.screen[1],
        country: phone.country,
        publicBaseUrl: 'https://ads.example.com',
        waitedMs: 0,
      };
      const { answer, code } = await requestAd(fields, written);
      if (answer === null) return { code, fill: null };
      const token = answer.fill?.impressionToken;
      return token === undefined
        ? { code: `no_fill ${lastWords(answer.noFill?.reason, 'NO_FILL_REASON_')}`, fill: null }
        : { code: 'fill', fill: { requestId: answer.requestId, token } };
    },
    close: () => clients.close(),
  });
}

/** The API of events-service. */
export function openEventsApi({ address, connections }: GrpcOptions): Api {
  const clients = new GrpcClients(address, loadService('events', 'EventsService'), connections);
  const methods = {
    impression: clients.method<object, { readonly verdict: string }>('RecordImpression'),
    click: clients.method<object, { readonly verdict: string }>('RecordClick'),
    reward: clients.method<object, { readonly verdict: string }>('RecordReward'),
  };
  const recordFallback = clients.method('RecordFallback');
  return partialApi({
    async event(kind, { requestId, token }, written) {
      const fields = {
        requestId,
        impressionToken: token,
        completion: kind === 'reward' ? true : undefined,
      };
      const { answer, code } = await methods[kind](fields, written);
      return answer === null ? code : lastWords(answer.verdict, 'EVENT_VERDICT_');
    },
    async fallback({ token }, placement, written) {
      const fields = { sessionToken: token, placement: placement.code, reason: 'FALLBACK_REASON_NO_FILL' };
      return (await recordFallback(fields, written)).code ?? 'accepted';
    },
    close: () => clients.close(),
  });
}

/** The API of fraud-service. */
export function openFraudApi({ address, connections }: GrpcOptions): Api {
  const clients = new GrpcClients(address, loadService('fraud', 'FraudService'), connections);
  const judgeAdRequest = clients.method<object, Judgement>('JudgeAdRequest');
  const judgeEvents = clients.method<object, { readonly judgements: readonly Judgement[] }>('JudgeEvents');
  return partialApi({
    async request(phone, _placement, written) {
      const requestId = `req_${phone.sessionId}${phone.requests}`;
      const fields = { sessionId: phone.sessionId, requestId, atMs: Date.now() };
      const { answer, code } = await judgeAdRequest(fields, written);
      return { code: answer === null ? code : judged(answer), fill: { requestId, token: '' } };
    },
    async event(kind, fill, written) {
      const { answer, code } = await judgeEvents({ events: [eventToJudge(kind, fill)] }, written);
      const judgement = answer?.judgements[0];
      return judgement === undefined ? (code ?? 'no judgement') : judged(judgement);
    },
    close: () => clients.close(),
  });
}

function eventToJudge(kind: string, { phone, placement, requestId, shownAtMs }: Fill): object {
  return {
    type: `EVENT_TYPE_${kind.toUpperCase()}`,
    requestId,
    sessionId: phone.sessionId,
    sessionExpiresAtMs: phone.sessionExpiresAtMs,
    appId: phone.app.id,
    placement: placement.code,
    format: formatName(placement.format),
    bannerRefreshSeconds: placement.banner_refresh_seconds ?? BANNER_REFRESH_SECONDS,
    arrivedAtMs: Date.now(),
    impressionArrivedAtMs: kind === 'click' ? shownAtMs : undefined,
  };
}

function judged({ passes, rule }: Judgement): Code {
  return passes ? 'passes' : `refused ${rule}`.trim();
}

/** Converts a name such as `EVENT_VERDICT_NO_IMPRESSION` to `no_impression`. */
function lastWords(name: string | undefined, prefix: string): string {
  return (name ?? '').replace(prefix, '').toLowerCase();
}
