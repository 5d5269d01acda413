import type { Recording } from './recording.js';

/** Scrapes before the outage, and in it. There is one a second. */
const [BEFORE, DURING] = [30, 30];
const PER_SECOND = 8;
/** Bounds of `placard_http_request_seconds`, in seconds, as its series name them. */
const BOUNDS = ['0.25', '0.5', '1'];

/**
 * Metrics of a gateway that answers each phone at once, until all leave `afterSeconds` after their request without an
 * answer. No product shows them for long, because its breakers answer phones.
 */
export function leavingPhones(route: string, afterSeconds: number): Recording {
  const requests = [
    { result: 'status="200",outcome="fill"', tookSeconds: 0.01, count: before },
    { result: 'status="499",outcome="client_gone"', tookSeconds: afterSeconds, count: during },
  ];
  return madeUp(
    'gateway',
    requests.flatMap(({ result, tookSeconds, count }) => {
      const labels = `route="${route}",${result}`;
      const isWithin = (bound: string): boolean => tookSeconds <= Number(bound);
      return [
        ...BOUNDS.map((bound) => ({
          metric: `placard_http_request_seconds_bucket{le="${bound}",${labels}`,
          count: isWithin(bound) ? count : () => 0,
        })),
        { metric: `placard_http_request_seconds_count{${labels}`, count },
      ];
    }),
  );
}

/** Metrics of a console-service that refuses the calls of a reader of its catalog. */
export function refusedCalls(caller: string): Recording {
  const labels = `method="CatalogService/Watch",caller="${caller}"`;
  return madeUp('console-service', [{ metric: `placard_rpc_refused_total{${labels}`, count: during }]);
}

interface MadeUpSeries {
  /** Without the labels of Prometheus. */
  readonly metric: string;
  /** By the second of the recording. */
  readonly count: (second: number) => number;
}

function before(second: number): number {
  return PER_SECOND * Math.min(second, BEFORE);
}

function during(second: number): number {
  return PER_SECOND * Math.max(0, second - BEFORE);
}

function madeUp(job: string, series: readonly MadeUpSeries[]): Recording {
  const seconds = Array.from({ length: BEFORE + DURING + 1 }, (_, second) => second);
  const withValues = series.map(({ metric, count }) => {
    const key = `${metric},job="${job}",instance="${job}",namespace="placard"}`;
    return [key, seconds.map((second) => count(second))] as const;
  });
  return {
    what: 'It is made up.',
    everySeconds: 1,
    startedAt: 0,
    brokenFrom: BEFORE,
    series: new Map(withValues),
  };
}
