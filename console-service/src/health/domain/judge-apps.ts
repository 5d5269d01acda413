import {
  asAppId,
  asPlacementCode,
  type App,
  type AppId,
  type CatalogReader,
} from '@placard/service-kit/pure';
import { NO_FIGURES, type Concern } from './concern.js';
import type { DeliveryFacts, PlacementTraffic } from './delivery.js';
import { isRarelyShown } from './judge-shows.js';

/** Placements with fewer usual requests in two hours are too small to judge. */
export const USUAL_REQUESTS_MIN = 50;
/** A lower share of the usual requests is a collapse. */
const TRAFFIC_MIN = 0.3;

/** The concerns about apps and their placements. Removed ones have none. */
export function judgeApps(
  catalog: CatalogReader,
  apps: Iterable<App>,
  facts: DeliveryFacts,
): readonly Concern[] {
  return [...judgeApprovals(catalog, apps), ...judgeShows(catalog, facts), ...judgeTraffic(catalog, facts)];
}

function judgeApprovals(catalog: CatalogReader, apps: Iterable<App>): readonly Concern[] {
  const concerns = new Map<string, Concern>();
  for (const { id, publisherId, isApproved, isBlocked } of apps) {
    if (isBlocked || catalog.placementsOf(id).length === 0) continue;
    const isPublisherApproved = catalog.publisher(publisherId)?.isApproved === true;
    const rest = { kind: 'not_approved', reason: 'approval', figures: NO_FIGURES } as const;
    if (!isPublisherApproved) {
      concerns.set(publisherId, { ...rest, subjectKind: 'publisher', subjectId: publisherId });
    }
    if (!isApproved) concerns.set(`app ${id}`, { ...rest, subjectKind: 'app', subjectId: id });
  }
  return [...concerns.values()];
}

function judgeShows(catalog: CatalogReader, { placements }: DeliveryFacts): readonly Concern[] {
  const concerns: Concern[] = [];
  for (const [subjectId, counts] of placements) {
    if (!isRarelyShown(counts) || !isPlacement(catalog, subjectId)) continue;
    const { fills, impressions } = counts;
    const figures = { ...NO_FIGURES, fills, impressions };
    concerns.push({ kind: 'not_shown', subjectKind: 'placement', subjectId, reason: null, figures });
  }
  return concerns;
}

function isPlacement(catalog: CatalogReader, subjectId: string): boolean {
  const [appId = '', code = ''] = subjectId.split('/');
  return catalog.placement(asAppId(appId), asPlacementCode(code)) !== undefined;
}

/** An app whose traffic collapsed is one concern, whatever its placements do. */
function judgeTraffic(catalog: CatalogReader, { traffic }: DeliveryFacts): readonly Concern[] {
  const byApp = new Map<AppId, PlacementTraffic[]>();
  for (const row of traffic) {
    if (catalog.placement(row.appId, row.placement) === undefined) continue;
    const known = byApp.get(row.appId);
    if (known === undefined) byApp.set(row.appId, [row]);
    else known.push(row);
  }
  return [...byApp].flatMap(([appId, rows]) => {
    const sum = {
      requests: rows.reduce((total, row) => total + row.requests, 0),
      usual: rows.reduce((total, row) => total + row.usual, 0),
    };
    if (isCollapsed(sum)) return [collapse('app', appId, sum)];
    return rows.filter(isCollapsed).map((row) => collapse('placement', `${row.appId}/${row.placement}`, row));
  });
}

type Traffic = Pick<PlacementTraffic, 'requests' | 'usual'>;

function isCollapsed({ requests, usual }: Traffic): boolean {
  return usual >= USUAL_REQUESTS_MIN && requests < TRAFFIC_MIN * usual;
}

function collapse(subjectKind: 'app' | 'placement', subjectId: string, traffic: Traffic): Concern {
  const figures = { ...NO_FIGURES, requests: traffic.requests, usualRequests: Math.round(traffic.usual) };
  return { kind: 'traffic_collapsed', subjectKind, subjectId, reason: null, figures };
}
