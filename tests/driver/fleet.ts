import { OPERATOR_KEY } from '@placard/local';
import { live, type Outcome } from '../../load/src/phones/command.js';
import type { FleetOptions } from '../../load/src/phones/fleet.js';
import { readApps } from '../../load/src/phones/reports.js';
import type { AppEntry } from './catalog.js';
import type { World } from './world.js';

/** Lets a fleet of phones use one app of the world, and nothing else. */
export async function runFleetOn(world: World, app: AppEntry, options: FleetOptions): Promise<Outcome> {
  const env = { PLACARD_ADDRESS: world.running.consoleAddress, PLACARD_KEY: OPERATOR_KEY };
  const instance = {
    io: { env, out: () => undefined, err: () => undefined },
    dataDir: undefined,
  };
  const apps = (await readApps(instance)).filter(({ id }) => id === app.id);
  const place = { instance, apps, baseUrl: `${world.url}/v1` };
  const stopping = new AbortController().signal;
  return live(options, place, { screen: { write: () => undefined }, stopping });
}

/** The sum of a figure over the placements of the report. */
export function reported({ comparison: { report } }: Outcome, figure: string): number {
  return [...report.entries()]
    .filter(({ row, figure: name }) => row.includes('/') && name === figure)
    .reduce((sum, { count }) => sum + count.least, 0);
}
