import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CampaignIndex } from '@placard/serving-service/selection/domain/campaign-index.js';
import type { IndexedCampaign } from '@placard/serving-service/selection/domain/indexed-campaign.js';
import { makeChance, type Chance } from '../chance.js';
import { makeMarket } from '../market/market.js';
import { BuyingSide } from './buying-side.js';
import type { SelectionFigures } from './figures.js';
import { measureExplain } from './measure-explain.js';
import { measureChanges } from './measure-index.js';
import { makeRequests, measureSelection, spendOut } from './measure-selection.js';

const MIB = 1_048_576;

// Each size has its own process, so that its heap contains nothing of another size.
process.on('disconnect', () => process.exit(0));
process.on('message', ({ campaigns, seed }: { readonly campaigns: number; readonly seed: number }) => {
  void measure(campaigns, seed).then((figures) => process.send?.(figures));
});

async function measure(campaigns: number, seed: number): Promise<SelectionFigures> {
  const chance = makeChance(seed);
  const { side, wanted } = prepare(campaigns, seed, chance);
  const heapBefore = heapBytes();
  const startedAt = performance.now();
  const index = CampaignIndex.of(side);
  const buildMs = performance.now() - startedAt;
  const heapMiB = (heapBytes() - heapBefore) / MIB;
  const fresh = measureSelection(index, wanted);
  const explain = await measureExplain(index, wanted);
  spendOut(index, entriesOf(index, side));
  const spent = measureSelection(index, wanted);
  return { campaigns, fresh, spent, explain, buildMs, heapMiB, changes: measureChanges(index, side, chance) };
}

/** A separate function, so that the generated catalog is garbage when heaps are compared. */
function prepare(campaigns: number, seed: number, chance: Chance) {
  const market = makeMarket(campaigns, seed);
  const apps = market.publishers.flatMap((publisher) => publisher.apps);
  return { side: new BuyingSide(market.advertisers), wanted: makeRequests(apps, chance) };
}

function entriesOf(index: CampaignIndex, side: BuyingSide): readonly IndexedCampaign[] {
  return [...side.campaigns()].flatMap(({ id }) => index.get(id) ?? []);
}

/** Heap of live objects. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}
