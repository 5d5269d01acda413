import { LedgerServiceService } from '@placard/protos/events/v1/events.js';
import { AppError, readRpcSettings } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { makeTestScope } from '@placard/service-kit/testing';
import { portsOf } from '../../driver/ports.js';
import type { Outage, Stage } from '../outage.js';

/** Below the limit of the alert. */
const SHORT_DAYS = 6;
const WHOLE_DAYS = 30;
/** Of the same authority, and no service of Placard. */
const STRANGER = 'stranger';

/** The deposit that console-service books in events-service, with the certificate of somebody else. */
async function depositAs(stage: Stage, holder: string): Promise<void> {
  const ports = await portsOf(stage.product.dataDir);
  const scope = makeTestScope({ rpc: readRpcSettings(certificatesOf(stage).settingsOf(holder)) });
  try {
    const ledger = openGrpcClient(scope, LedgerServiceService, {
      address: `127.0.0.1:${ports['events-service.write-grpc']}`,
      name: 'events-service',
    });
    const deposit = { advertiserId: 'adv_outage', amountNanos: 1n, reference: `of-${holder}` };
    const fault: unknown = await ledger.recordDeposit(deposit).then(
      () => null,
      (error: unknown) => error,
    );
    const isRefused = fault instanceof AppError && fault.code === 'permission_denied';
    if (!isRefused) throw new Error(`${holder} was not refused`, { cause: fault });
  } finally {
    await scope.close();
  }
}

function certificatesOf({ certificates }: Stage) {
  if (certificates === null) throw new Error('the product has no certificates');
  return certificates;
}

/** Outages of a product whose processes have certificates. */
export const IDENTITY_OUTAGES: readonly Outage[] = [
  {
    name: 'calls-refused',
    what: 'Deposits are tried with the certificate of the gateway, and with one that names no service.',
    certified: true,
    async happen(stage) {
      await certificatesOf(stage).issue(STRANGER);
      await depositAs(stage, 'gateway');
      await depositAs(stage, STRANGER);
      await stage.passes(6);
    },
    mend: () => Promise.resolve(),
  },
  {
    name: 'certificates-end-soon',
    what: 'The certificates of all processes are replaced by some that end in six days.',
    certified: true,
    async happen(stage) {
      await certificatesOf(stage).issueAll(SHORT_DAYS);
      await stage.passes(8);
    },
    mend: (stage) => certificatesOf(stage).issueAll(WHOLE_DAYS),
  },
];
