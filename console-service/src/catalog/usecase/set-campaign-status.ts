import { appError } from '@placard/service-kit';
import type { CampaignId, Clock } from '@placard/service-kit/pure';
import { changedLines } from '../domain/change/changed-fields.js';
import type { Change } from '../domain/plan-apply.js';
import type { CatalogStore } from '../store/catalog-store.js';

/** A status that an operator gives a campaign. */
export interface StatusRequest {
  readonly campaignId: CampaignId;
  readonly status: 'active' | 'paused' | 'ended';
  /** The caller, for the audit. */
  readonly actor: string;
}

/** The result of a change of status. */
export interface StatusResult {
  /** Null: the campaign had the status before. */
  readonly change: Change | null;
  /** The current version of the catalog. */
  readonly version: number;
}

/**
 * Pauses, resumes or ends a campaign. Errors: `not_found` (no such campaign), `conflict` (an ended campaign is paused or
 * resumed).
 */
export type SetCampaignStatus = (request: StatusRequest) => Promise<StatusResult>;

/** What {@link SetCampaignStatus} needs. */
export interface SetCampaignStatusDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly clock: Clock;
}

/** Makes {@link SetCampaignStatus}. */
export function makeSetCampaignStatus({ store, clock }: SetCampaignStatusDeps): SetCampaignStatus {
  return ({ campaignId: id, status, actor }) =>
    store.inChange(async (transaction) => {
      const [campaign] = await transaction.readNamed([{ kind: 'campaign', id }], []);
      if (campaign === undefined) throw appError('not_found', `There is no campaign ${id}.`);
      const { kind, parentId, fields: before } = campaign;
      if (before['status'] === status) return { change: null, version: transaction.version };
      if (before['status'] === 'ended') {
        throw appError(
          'conflict',
          `Campaign ${id} has ended. To start it again, set its status by PATCH /campaigns/${id} or a catalog file.`,
        );
      }
      const after = { ...before, status };
      const details = changedLines(kind, before, after);
      const change: Change = { action: 'updated', kind, id, parentId, before, after, details };
      const publication = { changes: [change], deposits: [], actor, atMs: clock.now() };
      const { version } = await transaction.publish(publication);
      return { change, version };
    });
}
