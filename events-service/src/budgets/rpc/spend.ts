import { SpendServiceService } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { fromWireFills, fromWireLosses, fromWireRequests, fromWireTraffic } from '../../reports/rpc/wire.js';
import type { ReportServing } from '../../reports/usecase/report-serving.js';
import { toWireCurve } from '../../traffic/rpc/wire.js';
import type { GetTrafficCurves } from '../../traffic/usecase/get-traffic-curves.js';
import type { ExchangeLeases } from '../usecase/exchange-leases.js';
import { fromWireLeaseReport, fromWireWant, toWireAnswer } from './wire.js';

/** What SpendService does. */
export interface SpendUseCases {
  readonly exchangeLeases: ExchangeLeases;
  readonly reportServing: ReportServing;
  readonly getTrafficCurves: GetTrafficCurves;
}

/** SpendService on the wire. Design: docs/architecture.md#money. */
export function implementSpendService(useCases: SpendUseCases): ImplementedService {
  return implementService(SpendServiceService, {
    async exchangeLeases({ run, atMs, reports, wants, peeks }) {
      const answers = await useCases.exchangeLeases({
        run,
        atMs: Number(atMs),
        reports: reports.map(fromWireLeaseReport),
        wants: wants.map(fromWireWant),
        peeks: peeks.map(fromWireWant),
      });
      return { wants: answers.wants.map(toWireAnswer), peeks: answers.peeks.map(toWireAnswer) };
    },
    async reportServing({ reporterId, sequence, requests, fills, traffic, losses }) {
      await useCases.reportServing({
        name: { reporterId, sequence },
        requests: requests.map(fromWireRequests),
        fills: fills.map(fromWireFills),
        traffic: traffic.map(fromWireTraffic),
        losses: losses.map(fromWireLosses),
      });
      return {};
    },
    async getTrafficCurves() {
      const curves = await useCases.getTrafficCurves();
      return { curves: curves.map(toWireCurve) };
    },
  });
}
