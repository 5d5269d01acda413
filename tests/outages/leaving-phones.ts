import type { Recording } from './recording.js';

/** Scrapes before the outage, and in it. */
const [BEFORE, DURING] = [30, 30];
const PHONES_PER_SECOND = 8;
/** Bounds of `placard_http_request_seconds`, in seconds, as its series name them. */
const BOUNDS = ['0.25', '0.5', '1'];
const LABELS = 'job="gateway",instance="gateway",namespace="placard"';

/**
 * Metrics of a gateway that answers each phone at once, until all leave `afterSeconds` after their request without an
 * answer. They are made up: no product shows them for long, because its breakers answer phones.
 */
export function leavingPhones(route: string, afterSeconds: number): Recording {
  const left = (second: number): number => PHONES_PER_SECOND * Math.max(0, second - BEFORE);
  const answered = (second: number): number => PHONES_PER_SECOND * Math.min(second, BEFORE);
  const requests = [
    { labels: `route="${route}",status="200",outcome="fill",${LABELS}`, tookSeconds: 0.01, count: answered },
    {
      labels: `route="${route}",status="499",outcome="client_gone",${LABELS}`,
      tookSeconds: afterSeconds,
      count: left,
    },
  ];
  const seconds = Array.from({ length: BEFORE + DURING + 1 }, (_, second) => second);
  const series = requests.flatMap(({ labels, tookSeconds, count }) => [
    ...BOUNDS.map((bound) => ({
      key: `placard_http_request_seconds_bucket{le="${bound}",${labels}}`,
      values: seconds.map((second) => (tookSeconds <= Number(bound) ? count(second) : 0)),
    })),
    { key: `placard_http_request_seconds_count{${labels}}`, values: seconds.map(count) },
  ]);
  return {
    what: `All phones leave after ${afterSeconds} s.`,
    everySeconds: 1,
    startedAt: 0,
    brokenFrom: BEFORE,
    series: new Map(series.map(({ key, values }) => [key, values])),
  };
}
