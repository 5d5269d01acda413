import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { showBuildInfo } from './build-info.js';
import { Closers } from './closers.js';
import { baseShape, ConfigError, env, EXIT_CONFIG, readConfig, type ConfigOf } from './config.js';
import { messageOf } from './errors.js';
import { Health } from './health.js';
import { makeLogger } from './logs.js';
import { systemClock } from '../pure/clock.js';
import { systemRandom } from '../pure/random.js';
import { PLAIN_RPC, rpcShape, toRpcSettings, type RpcSettings } from './rpc-settings.js';
import { makeSampledLog } from './sampled-log.js';
import { makeOnce, type Scope } from './scope.js';
import { systemTimers } from './timers.js';

/** Upper bound of `DRAIN_SECONDS`. */
export const DRAIN_SECONDS_MAX = 120;

/**
 * Settings of the lifecycle. `DRAIN_SECONDS`: how long the process still serves after it is no longer ready, so that
 * balancers notice first; 0 on one machine, elsewhere the delay of the balancer. `OTEL_EXPORTER_OTLP_ENDPOINT`: the
 * receiver of traces; not set: no traces. `OTEL_TRACES_SAMPLER_ARG`: the traced share of the requests.
 */
const lifecycleShape = {
  LOG_LEVEL: baseShape({ grpcPort: 0, metricsPort: 0 }).LOG_LEVEL,
  DRAIN_SECONDS: env.int({ min: 0, max: DRAIN_SECONDS_MAX, default: 0 }),
  OTEL_EXPORTER_OTLP_ENDPOINT: env.url(['http:', 'https:']).optional(),
  OTEL_TRACES_SAMPLER_ARG: env.share({ default: 1 }),
  ...rpcShape,
};

type LifecycleConfig = ConfigOf<typeof lifecycleShape>;

/** Reads the settings of the lifecycle, which every process has. Throws a `ConfigError`. */
export function readLifecycleConfig(
  environment: NodeJS.ProcessEnv,
  { hasRpc }: ProcessOptions = WITH_RPC,
): LifecycleConfig {
  const config = readConfig(lifecycleShape, environment);
  if (hasRpc) toRpcSettings(config);
  return config;
}

/** What a process does. */
export interface ProcessOptions {
  /** False: it neither serves nor calls gRPC, so it needs no certificate. */
  readonly hasRpc: boolean;
}

const WITH_RPC: ProcessOptions = { hasRpc: true };

/**
 * Runs a process. `main` is the URL of its program, which is in a folder beside the package.json of its service. `start`
 * opens everything and registers its closers. The first SIGTERM or SIGINT, or the end of a parent with an IPC channel, stops it: not ready → drain → close in reverse → exit 0. A second signal ends it at once.
 * Wrong settings end it with one sentence and status 78.
 */
export async function runProcess(
  name: string,
  main: string,
  start: (scope: Scope) => Promise<void>,
  options: ProcessOptions = WITH_RPC,
): Promise<void> {
  try {
    const config = readLifecycleConfig(process.env, options);
    const rpc = options.hasRpc ? toRpcSettings(config) : PLAIN_RPC;
    await run({ name, config, rpc }, async (scope) => {
      showBuildInfo(scope, main);
      await start(scope);
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    makeLogger(name, 'info').fatal(error.message);
    process.exitCode = EXIT_CONFIG;
    process.exit();
  }
}

/** Loads the libraries of OpenTelemetry only when traces are on. */
async function openTraces(name: string, config: LifecycleConfig, onFailure: (reason: string) => void) {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return null;
  const { openTelemetry } = await import('../tracing/open-telemetry.js');
  return openTelemetry({ name, endpoint, ratio: config.OTEL_TRACES_SAMPLER_ARG, onFailure });
}

interface Run {
  readonly name: string;
  readonly config: LifecycleConfig;
  readonly rpc: RpcSettings;
}

async function run({ name, config, rpc }: Run, start: (scope: Scope) => Promise<void>): Promise<void> {
  const traces = await openTraces(name, config, (reason) =>
    scope.once(makeSampledLog).warn({ reason }, 'traces could not be sent'),
  );
  const tracing = traces?.tracing ?? null;
  const log = makeLogger(
    name,
    config.LOG_LEVEL,
    tracing === null ? {} : { fields: () => tracing.logFields() },
  );
  const closers = new Closers();
  if (traces !== null) closers.push('traces', () => traces.close());
  const health = new Health();
  const running = health.register('process');
  const stopping = new AbortController();
  const stop = async (reason: string, status: number): Promise<void> => {
    if (stopping.signal.aborted) process.exit(status === 0 ? 1 : status);
    log.info({ reason }, 'stopping');
    stopping.abort();
    running.set(false, 'stopping');
    if (status === 0) await sleep(config.DRAIN_SECONDS * 1_000);
    const errors = await closers.closeAll(log);
    process.exit(errors.length > 0 ? 1 : status);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0));
  if (process.channel !== undefined) process.on('disconnect', () => void stop('parent gone', 0));
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'unexpected error');
    void stop('unexpected error', 1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  const scope: Scope = {
    name,
    log,
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    metrics: new Registry(),
    health,
    tracing,
    rpc,
    stopping: stopping.signal,
    onClose: (what, close) => closers.push(what, close),
    once: makeOnce(() => scope),
  };
  // It is closed last, so that it counts what fails while the process stops.
  scope.once(makeSampledLog);
  try {
    await start(scope);
    running.set(true);
    log.info('started');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    log.fatal({ err: error }, `could not start: ${messageOf(error)}`);
    await stop('failed start', 1);
  }
}
