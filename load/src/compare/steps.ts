import type { LoadFigures } from '../figures.js';
import { mergeHistograms } from '../histogram.js';
import { valueOf } from '../measure/metrics.js';
import type { Operation } from '../operations.js';

/** The processes that handle a call. */
export const WAYSIDE = ['gateway', 'serving-service', 'events-service', 'fraud-service'] as const;

/** Their metrics at one moment, in the text format of Prometheus. */
export type Snapshot = Readonly<Record<(typeof WAYSIDE)[number], string>>;

/** The steps of one kind of call. */
export interface CallSteps {
  readonly call: string;
  /** Mean milliseconds of a call, from the phone inwards; they add up to `ms`. */
  readonly steps: readonly Step[];
  /** Mean time at the phone, milliseconds. */
  readonly ms: number;
}

/** One step. Both directions between two processes are one step. */
export interface Step {
  readonly name: string;
  readonly ms: number;
}

/** A call that the gateway sends to a service, which requests a verdict from fraud-service. */
interface Way {
  readonly call: string;
  readonly operations: readonly Operation[];
  readonly route: string;
  readonly service: 'serving-service' | 'events-service';
  readonly method: string;
  readonly verdict: string;
  /** The histogram whose count is the number of calls that may need a verdict. */
  readonly askers: Pick<Timed, 'metric' | 'labels'>;
}

/** A histogram of one process: the sum of its series with these labels. */
interface Timed {
  readonly process: keyof Snapshot;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A span of time that contains all later layers. */
interface Layer extends Timed {
  /** Name of the part that is not in the next layer. */
  readonly step: string;
  /** The histogram whose count divides its time; default: its own. */
  readonly per?: Timed;
}

const HTTP = 'placard_http_request_seconds';
const CALLER = 'placard_rpc_client_seconds';
const CALLEE = 'placard_rpc_server_seconds';

const WAYS: readonly Way[] = [
  {
    call: 'ad request',
    operations: ['request'],
    route: '/v1/ads/request',
    service: 'serving-service',
    method: 'requestAd',
    verdict: 'judgeAdRequest',
    askers: { metric: CALLEE, labels: { method: 'requestAd' } },
  },
  {
    call: 'impression',
    // A repeated impression takes the same path.
    operations: ['impression', 'duplicate'],
    route: '/v1/events/impression',
    service: 'events-service',
    method: 'recordImpression',
    verdict: 'judgeEvents',
    askers: { metric: 'placard_events_group_size', labels: {} },
  },
];

/** The steps of an ad request and of an impression between two snapshots; calls that were not made are left out. */
export function stepsBetween(
  before: Snapshot,
  after: Snapshot,
  { operations }: Pick<LoadFigures, 'operations'>,
): readonly CallSteps[] {
  const grown = ({ process, metric, labels }: Timed, part: 'sum' | 'count'): number =>
    valueOf(after[process], `${metric}_${part}`, labels) -
    valueOf(before[process], `${metric}_${part}`, labels);
  return WAYS.flatMap((way) => {
    const seen = operations.filter(({ name }) => way.operations.some((operation) => operation === name));
    const phone = mergeHistograms(seen.map(({ histogram }) => histogram));
    if (phone.totalCount === 0) return [];
    const outer = { name: 'phone to gateway and back', ms: phone.mean / 1_000 };
    const layers = layersOf(way).map((layer) => ({
      name: layer.step,
      ms: (grown(layer, 'sum') * 1_000) / Math.max(1, grown(layer.per ?? layer, 'count')),
    }));
    const all = [outer, ...layers];
    const steps = all.map(({ name, ms }, at) => ({ name, ms: ms - (all[at + 1]?.ms ?? 0) }));
    return [{ call: way.call, steps, ms: outer.ms }];
  });
}

function layersOf({ route, service, method, verdict, askers }: Way): readonly Layer[] {
  const per = { process: service, ...askers };
  const [labels, asked] = [{ method }, { method: verdict }];
  return [
    { step: 'in the gateway', process: 'gateway', metric: HTTP, labels: { route } },
    { step: `gateway to ${service} and back`, process: 'gateway', metric: CALLER, labels },
    { step: `in ${service}`, process: service, metric: CALLEE, labels },
    { step: `${service} to fraud-service and back`, process: service, metric: CALLER, labels: asked, per },
    { step: 'in fraud-service', process: 'fraud-service', metric: CALLEE, labels: asked, per },
  ];
}
