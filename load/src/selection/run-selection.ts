import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { rootDir } from '../root-dir.js';
import type { Run } from '../run.js';
import type { SelectionFigures } from './figures.js';

/** Numbers of campaigns in the catalogs. */
const SIZES = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000] as const;
const CHILD = path.join(rootDir, 'load', 'dist', 'selection', 'main.js');

/** Measures only selection and index, without any service, with one catalog after the other. */
export async function runSelection(run: Run): Promise<readonly SelectionFigures[]> {
  const all: SelectionFigures[] = [];
  for (const campaigns of SIZES) {
    run.say(`selection: ${campaigns} campaigns …`);
    all.push(await measureOne(campaigns, run));
  }
  return all;
}

async function measureOne(campaigns: number, { options, stopping }: Run): Promise<SelectionFigures> {
  const child = fork(CHILD, { execArgv: [] });
  const end = (): void => void child.kill();
  stopping.addEventListener('abort', end, { once: true });
  try {
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the measurement with ${campaigns} campaigns ended by itself`);
    });
    child.send({ campaigns, seed: options.seed });
    const [figures] = (await Promise.race([once(child, 'message'), ended])) as [SelectionFigures];
    ended.catch(() => undefined);
    return figures;
  } finally {
    stopping.removeEventListener('abort', end);
    if (child.connected) child.disconnect();
  }
}
