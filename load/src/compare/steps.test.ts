import { expect } from 'chai';
import { operationFigures } from '../figures.js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import type { Operation } from '../operations.js';
import { stepsBetween, type Snapshot } from './steps.js';

/** The metrics text of a process for series of milliseconds and counts. */
function textOf(series: Readonly<Record<string, readonly [ms: number, count: number]>>): string {
  return Object.entries(series)
    .map(([name, [ms, count]]) => {
      const [metric = '', labels] = name.split(' ');
      const borne = labels === undefined ? '' : `{${labels}}`;
      return `${metric}_sum${borne} ${ms / 1_000}\n${metric}_count${borne} ${count}\n`;
    })
    .join('');
}

const NOTHING: Snapshot = { gateway: '', 'serving-service': '', 'events-service': '', 'fraud-service': '' };

function callsOf(operation: Operation, durationsMs: readonly number[]) {
  const histogram = makeHistogram();
  for (const ms of durationsMs) recordMs(histogram, ms);
  return { operation, histogram: encodeHistogram(histogram), codes: { fill: durationsMs.length } };
}

function figuresOf(...counted: readonly ReturnType<typeof callsOf>[]) {
  const result = { measuredMs: 1_000, counted, unsent: 0, accepted: 0, waitingFills: 0 };
  return { operations: operationFigures([result]) };
}

function requestsTo(times: number): Snapshot {
  const timed = (ms: number): readonly [number, number] => [ms * times, times];
  return {
    ...NOTHING,
    gateway: textOf({
      'placard_http_request_seconds route="/v1/ads/request",status="200",outcome="fill"': timed(9),
      'placard_http_request_seconds route="/v1/sdk/initialize",status="200",outcome="ok"': timed(500),
      'placard_rpc_client_seconds peer="serving-service",method="requestAd",outcome="ok"': timed(7),
    }),
    'serving-service': textOf({
      'placard_rpc_server_seconds method="requestAd",outcome="ok"': timed(5.5),
      'placard_rpc_client_seconds peer="fraud-service",method="judgeAdRequest",outcome="ok"': timed(2),
    }),
    'fraud-service': textOf({
      'placard_rpc_server_seconds method="judgeAdRequest",outcome="ok"': timed(0.75),
    }),
  };
}

const rounded = (steps: readonly { readonly name: string; readonly ms: number }[]) =>
  steps.map(({ name, ms }) => [name, Number(ms.toFixed(2))]);

describe('the steps of a call', () => {
  it('are each process’s time minus the next one’s, and add up to the phone’s time', () => {
    const [request] = stepsBetween(requestsTo(3), requestsTo(7), figuresOf(callsOf('request', [9, 11])));
    expect(request?.call).to.equal('ad request');
    expect(request?.ms).to.be.closeTo(10, 0.01);
    expect(rounded(request?.steps ?? [])).to.deep.equal([
      ['phone to gateway and back', 1],
      ['in the gateway', 2],
      ['gateway to serving-service and back', 1.5],
      ['in serving-service', 3.5],
      ['serving-service to fraud-service and back', 1.25],
      ['in fraud-service', 0.75],
    ]);
    expect((request?.steps ?? []).reduce((sum, { ms }) => sum + ms, 0)).to.be.closeTo(10, 0.01);
  });

  it('spread the time of verdicts over all groups of events, including those without verdicts', () => {
    const after: Snapshot = {
      ...NOTHING,
      gateway: textOf({
        'placard_http_request_seconds route="/v1/events/impression",status="200",outcome="accepted"': [27, 3],
        'placard_http_request_seconds route="/v1/events/impression",status="409",outcome="duplicate"': [5, 1],
        'placard_rpc_client_seconds peer="events-service",method="recordImpression",outcome="ok"': [24, 4],
      }),
      'events-service': textOf({
        'placard_rpc_server_seconds method="recordImpression",outcome="ok"': [20, 4],
        'placard_rpc_client_seconds peer="fraud-service",method="judgeEvents",outcome="ok"': [9, 3],
        placard_events_group_size: [4_000, 4],
      }),
      'fraud-service': textOf({ 'placard_rpc_server_seconds method="judgeEvents",outcome="ok"': [3, 3] }),
    };
    const seen = figuresOf(callsOf('impression', [10, 10, 10]), callsOf('duplicate', [6]));
    const [impression] = stepsBetween(NOTHING, after, seen);
    expect(rounded(impression?.steps ?? [])).to.deep.equal([
      ['phone to gateway and back', 1],
      ['in the gateway', 2],
      ['gateway to events-service and back', 1],
      ['in events-service', 2.75],
      ['events-service to fraud-service and back', 1.5],
      ['in fraud-service', 0.75],
    ]);
  });

  it('are left out when no call was made', () => {
    expect(stepsBetween(NOTHING, NOTHING, figuresOf(callsOf('click', [5])))).to.deep.equal([]);
  });
});
