import { asCampaignId } from '@placard/service-kit/pure';
import { actorText } from '../../access/domain/permission.js';
import type { Handler, RoutesOf } from '../../manage/domain/operations.js';
import type { SetCampaignStatus, StatusRequest } from '../usecase/set-campaign-status.js';
import { toApplied } from './applied.js';

/** The use cases of the operations on campaigns. */
export interface CampaignRoutesDeps {
  readonly setCampaignStatus: SetCampaignStatus;
}

type StatusOperation = 'pauseCampaign' | 'resumeCampaign' | 'endCampaign';

/** The status of campaigns. */
export function campaignRoutes({ setCampaignStatus }: CampaignRoutesDeps): RoutesOf<StatusOperation> {
  const set =
    (status: StatusRequest['status']): Handler<StatusOperation> =>
    async ({ actor, path }) => {
      const campaignId = asCampaignId(path.id);
      const { change, version } = await setCampaignStatus({ campaignId, status, actor: actorText(actor) });
      return {
        body: toApplied({ changes: change === null ? [] : [change], version }),
        etag: String(version),
      };
    };
  return { pauseCampaign: set('paused'), resumeCampaign: set('active'), endCampaign: set('ended') };
}
