import { assignmentTo } from '../compare/beside-product.js';
import type { LoadFigures } from '../figures.js';
import type { Phase } from '../generator/messages.js';
import { metricsUrlOf, openLoadedProduct, type LoadedProduct } from '../loaded-product.js';
import { closedPhase, trafficOf } from '../place.js';
import type { NamedLoad } from '../report/named-load.js';
import { runPhase } from '../run-phase.js';
import type { Run } from '../run.js';
import { Swarm } from '../swarm.js';
import type { Turn } from './figures.js';
import { CALLS, OPERATION_OF, type Call, type Part } from './part.js';
import { PARTS, partOf } from './parts.js';
import { Switchboard } from './switchboard.js';

/** The costs of the parts of each call. */
export interface BillResult {
  readonly turns: readonly Turn[];
  /** The loads of the turns, to check their answers. */
  readonly loads: readonly NamedLoad[];
  /** Sentences about parts whose stand-in was not used although they were left out. They have no price. */
  readonly unused: readonly string[];
}

/** Pause between two turns, in which pending calls end. The first calls of the next turn are not counted. */
const SETTLE_MS = 300;
const SECOND_MS = 1_000;
/** Impressions per second for which ads are made. A turn without ads ends early. */
const AD_ROOM_PER_SECOND = 4_000;
/** Most attempts of a second each to make these ads. */
const AD_TRIES_MAX = 20;
const QUIET = { measuring: () => undefined, second: () => undefined };

/** One product under load, whose parts are left out in turn. */
interface Stage {
  readonly product: LoadedProduct;
  readonly swarm: Swarm;
  readonly board: Switchboard;
  readonly run: Run;
}

/** Measures in turns: the whole, without one part, the whole, without another part, … */
export async function runBill(run: Run): Promise<BillResult> {
  const board = new Switchboard();
  try {
    const product = await startReplaceable(board, run);
    try {
      return await runTurns(product, board, run);
    } finally {
      await product.close();
    }
  } finally {
    board.close();
  }
}

async function startReplaceable(board: Switchboard, { options, say, stopping }: Run): Promise<LoadedProduct> {
  say('bill: starting the product …');
  try {
    return await openLoadedProduct({
      catalog: options.catalog,
      catalogSize: options.catalogSize,
      seed: options.seed,
      stubFor: null,
      profiles: false,
      env: board.environment,
      stopping,
    });
  } catch (error) {
    const [fault] = board.faults();
    throw fault === undefined ? error : new Error(`bill: ${fault}`, { cause: error });
  }
}

async function runTurns(product: LoadedProduct, board: Switchboard, run: Run): Promise<BillResult> {
  const { options, stopping } = run;
  const at = { target: 'gateway', address: product.addressOf('gateway') } as const;
  const swarm = await Swarm.open(assignmentTo(product, at, trafficOf(options)), options.generators, stopping);
  try {
    const stage = { product, swarm, board, run };
    await warmUp(stage);
    const results: BillResult[] = [];
    for (let round = 1; round <= options.rounds; round += 1)
      for (const call of callsOf(run)) results.push(await runCall(stage, call, round));
    return {
      turns: results.flatMap(({ turns }) => turns),
      loads: results.flatMap(({ loads }) => loads),
      unused: [...new Set(results.flatMap(({ unused }) => unused))],
    };
  } finally {
    swarm.close();
  }
}

async function warmUp(stage: Stage): Promise<void> {
  const { options, say } = stage.run;
  if (options.warmupMs === 0) return;
  say('bill: warming up …');
  for (const call of callsOf(stage.run))
    await load(stage, { call, part: null, durationMs: options.warmupMs });
}

/** Calls in the order of their measurement. Impressions come after ad requests and use up their ads. */
function callsOf({ options }: Run): readonly Call[] {
  return CALLS.filter((call) => options.calls?.includes(call) ?? true);
}

function partsOf(call: Call, { options }: Run): readonly Part[] {
  const wanted = options.parts?.map(partOf) ?? PARTS;
  return wanted.filter(({ calls }) => calls.includes(call));
}

/** One round of one call. */
async function runCall(stage: Stage, call: Call, round: number): Promise<BillResult> {
  const { run } = stage;
  const { durationMs } = run.options;
  const parts = partsOf(call, run);
  const turns: Turn[] = [];
  const loads: NamedLoad[] = [];
  const unused: string[] = [];
  const measure = async (part: Part | null): Promise<void> => {
    if (call === 'impression') await haveAds(stage);
    const { figures, used } = await load(stage, { call, part, durationMs });
    const count = figures.operations[0]?.count ?? 0;
    // Uses of the stand-in while the turn started are not counted.
    const uses = used / Math.max(1, count * (1 + SETTLE_MS / durationMs));
    turns.push({ call, round, part: part?.id ?? null, micros: figures.cpuMicrosPerCall, uses });
    loads.push({ name: loadName({ call, round, part }), figures, isPriceOnly: true });
    if (part !== null && used === 0 && part.isIdle !== true)
      unused.push(`${call}: nothing stood in for ${part.name}, so it has no price.`);
  };
  await measure(null);
  for (const part of parts) {
    await measure(part);
    await measure(null);
    run.say(turnLine(turns.slice(-3)));
  }
  return { turns, loads, unused };
}

function loadName({
  call,
  round,
  part,
}: Pick<Turn, 'call' | 'round'> & { readonly part: Part | null }): string {
  return `round ${round}, ${call} ${part === null ? 'as a whole' : `without ${part.id}`}`;
}

/** Makes ads until there are enough for one turn of impressions at any speed. Not measured. */
async function haveAds({ swarm, board, product, run }: Stage): Promise<void> {
  const { options } = run;
  const wanted = (AD_ROOM_PER_SECOND * options.durationMs) / SECOND_MS;
  const seconds = (durationMs: number): Phase => ({
    ...closedPhase({ request: 1 }, options),
    durationMs,
    callsMax: null,
  });
  await board.leaveOut(null, product.product.pids);
  for (let tries = 0; tries < AD_TRIES_MAX; tries += 1) {
    const results = await swarm.run(seconds(tries === 0 ? 1 : SECOND_MS), QUIET);
    if (results.reduce((sum, { waitingFills }) => sum + waitingFills, 0) >= wanted) return;
  }
}

/** A turn: a call with one part left out or none. */
interface Wish {
  readonly call: Call;
  readonly part: Part | null;
  readonly durationMs: number;
}

interface Loaded {
  readonly figures: LoadFigures;
  /** Uses of the stand-in for the part. */
  readonly used: number;
}

async function load(stage: Stage, { call, part, durationMs }: Wish): Promise<Loaded> {
  const { product, swarm, board, run } = stage;
  const { pids } = product.product;
  await board.leaveOut(part, pids);
  const isSettled = call === 'impression' && part?.settles !== false;
  const figures = await runPhase(
    {
      swarm,
      generators: run.options.generators,
      pids,
      otherPids: {},
      workerMetrics: isSettled ? metricsUrlOf(product, 'settlement-worker') : null,
      profiles: false,
      say: () => undefined,
    },
    {
      ...closedPhase({ [OPERATION_OF[call]]: 1 }, run.options),
      warmupMs: Math.min(SETTLE_MS, durationMs),
      durationMs: Math.max(SECOND_MS / 10, durationMs),
      endsWithoutFills: call === 'impression',
      keepsAnswers: part?.keeps !== false,
    },
  );
  const uses = await board.leaveOut(null, pids);
  return { figures, used: part === null ? 0 : (uses.get(part.id) ?? 0) };
}

function turnLine([before, without, after]: readonly Turn[]): string {
  if (before === undefined || without === undefined || after === undefined) return '';
  const saved = (before.micros + after.micros) / 2 - without.micros;
  const id = `${without.call} without ${without.part ?? ''}`;
  return `round ${without.round}  ${id.padEnd(32)}  ${without.micros.toFixed(0).padStart(5)} µs, ${saved.toFixed(0).padStart(4)} less`;
}
