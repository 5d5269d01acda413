import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { printable } from '@placard/service-kit/pure';
import { existsSync, rmSync } from 'node:fs';
import { announcementOf, type Announcement } from './announce.js';
import { openCatalogClient } from './catalog.js';
import { openDatabaseRoles, sameForAll } from './database-roles.js';
import { openDataFolder, toolCacheDir, type DataFolder } from './data-folder.js';
import type { HeapsMiB, Layout } from './layout.js';
import { given } from './settings/given.js';
import { requireGatewayPort } from './ports.js';
import { keyRingFilesOf, manageUrlOf } from './environment.js';
import { Fleet } from './fleet.js';
import { takeInstanceLock } from './process/instance-lock.js';
import { endListed, listedAlive, ProcessList } from './process/process-list.js';
import { openWatchdog } from './process/watchdog-client.js';
import { makeSay, type Say } from './say.js';
import { manageAtOf, withAcceptedKey } from './settings/accepted-key.js';
import {
  openKeyRings,
  openOperatorKey,
  openSecrets,
  operatorKeyFileOf,
  passwordOf,
} from './settings/secrets.js';
import { checkSettings, plannedStores } from './settings/settings.js';
import { tlsWarning } from './settings/tls-settings.js';
import { gatewayPortsOf, metricsUrlsOf, type Instance, type Routes } from './services.js';
import { toStartError } from './start-error.js';
import { listenForStop, StopRequested, stopWished, unlessStopped } from './stop-request.js';
import { openStores } from './stores/stores.js';
import { planPorts, replicatedBy, SINGLE, type Topology } from './topology.js';
import { serveController } from './product-channel.js';

/** Options of a start. */
export interface RunOptions {
  /** Absolute path of a catalog to apply at every start; null: only the demo catalog, when there is none yet. */
  readonly catalog: string | null;
  readonly dataDir: string;
  readonly port: number;
  /** Default: every process connects to the others directly. */
  readonly routes?: Routes | undefined;
  /** Folder of the services, see `layoutWith`; default: this repository. */
  readonly servicesDir?: string | undefined;
  /** The certificates of the processes, see `Instance`; default: without TLS. */
  readonly certificatesDir?: string | undefined;
  /** See `Instance`; default: true. */
  readonly hasCallKeys?: boolean | undefined;
  /** Default: that of Node.js, by the memory of the machine. */
  readonly heapsMiB?: HeapsMiB | undefined;
  /** Default: one of each. */
  readonly topology?: Topology;
}

/** Exit status after a forced stop, like after an end by Ctrl-C. */
const EXIT_FORCED = 130;
const GATEWAY_HOST_DEFAULT = '0.0.0.0';

/**
 * Runs the whole product until it is asked to stop; returns the exit status. Everything that was opened is closed in reverse
 * order, whatever happens.
 */
export async function runPlacard(options: RunOptions, layout: Layout): Promise<number> {
  const say = makeSay();
  try {
    // A new folder has no processes of an earlier run that may use the port. So it is only made when the port is free.
    if (!existsSync(options.dataDir)) await requireGatewayPort(options.port, gatewayHost());
    const folder = openDataFolder(options.dataDir);
    const unlock = takeInstanceLock(folder.at('lock'), folder.dir);
    try {
      await runLocked(options, layout, { folder, say });
    } finally {
      unlock();
    }
    return 0;
  } catch (error) {
    if (error instanceof StopRequested) return 0;
    const fault = toStartError(error, options.dataDir);
    if (fault === null) throw error;
    process.stderr.write(`${printable(fault.message)}\n`);
    return 1;
  }
}

function gatewayHost(): string {
  return given(process.env, 'HOST') ?? GATEWAY_HOST_DEFAULT;
}

interface Ground {
  readonly folder: DataFolder;
  readonly say: Say;
}

async function runLocked(options: RunOptions, layout: Layout, { folder, say }: Ground): Promise<void> {
  const listFile = folder.at('processes.json');
  await endLeftovers(listFile, say);
  await requireGatewayPort(options.port, gatewayHost());
  const list = new ProcessList(listFile, (reason) =>
    say.warn(
      `The list of processes ${listFile} cannot be written (${reason}). The product continues. If this process is killed, ` +
        'end its processes by hand.',
    ),
  );
  const stopping = listenForStop(() => {
    say.warn('Stopping at once.');
    list.killAll();
    process.exit(EXIT_FORCED);
  });
  const fleet = new Fleet({ say, list, stopping, fleet: [] });
  const watchdog = openWatchdog(list, listFile, layout.watchdogArgs);
  const instanceFile = folder.at('instance.json');
  try {
    const instance = await unlessStopped(stopping, openInstance(options, layout, { folder, say }, fleet));
    const shown = await unlessStopped(stopping, startProcesses(options, instance, fleet));
    const facts = factsOf(instance, shown);
    replaceFile(instanceFile, instanceText(facts), OWNER_ONLY);
    serveController(fleet, {
      gatewayUrls: facts.gatewayUrls,
      consoleAddress: new URL(facts.manageUrl).host,
      redisUrl: instance.redisUrl,
      databaseUrls: instance.databaseUrls,
    });
    for (const line of announcementOf(facts)) say.info(line);
    fleet.keepAlive();
    await stopWished(stopping);
  } catch (error) {
    // A failure because of the stop is no fault.
    throw stopping.aborted ? new StopRequested() : error;
  } finally {
    // Refused settings end the start before there is anything to stop. Their faults are then the only output.
    const isStop = stopping.aborted || fleet.hasProcesses;
    if (isStop) say.info('Stopping …');
    rmSync(instanceFile, { force: true });
    await fleet.stop();
    await watchdog.close();
    if (isStop) say.info('Stopped.');
  }
}

async function endLeftovers(listFile: string, say: Say): Promise<void> {
  if (listedAlive(listFile).length === 0) return;
  say.info('Processes of the last run, which was killed, still run; waiting for them to end …');
  await endListed(listFile, ['service', 'watchdog', 'store']);
}

async function openInstance(
  options: RunOptions,
  layout: Layout,
  { folder, say }: Ground,
  fleet: Fleet,
): Promise<Instance> {
  const { env } = process;
  const cacheDir = toolCacheDir(layout.rootDir, folder);
  const secrets = openSecrets(folder.at('secrets.json'));
  const keyRings = openKeyRings(folder, secrets);
  const operatorKey = openOperatorKey(folder);
  const topology = options.topology ?? SINGLE;
  const plan = await planPorts(folder.at('ports.json'), topology);
  const { ports, moreReplicas, redisCluster } = plan;
  say.info(`Data folder ${folder.dir}`);
  const warning = options.certificatesDir === undefined ? tlsWarning(env) : null;
  if (warning !== null) say.warn(warning);
  const { port: gatewayPort, routes = {} } = options;
  const places = {
    folder,
    layout,
    cacheDir,
    ports,
    moreReplicas,
    replicated: replicatedBy(topology),
    routes,
    gatewayPort,
    gatewayHost: gatewayHost(),
  };
  const planned = {
    ...places,
    secrets,
    keyRings,
    operatorKey,
    hasCallKeys: options.hasCallKeys ?? true,
    env,
    certificatesDir: options.certificatesDir ?? null,
  };
  await checkSettings({ ...planned, ...plannedStores(plan, env) }, fleet.around);
  const { databaseUrl, redisUrl } = await openStores(
    {
      folder,
      env,
      cacheDir,
      isDurable: true,
      postgresPort: ports.postgres,
      redisPort: ports.redis,
      redisCluster,
      postgresPassword: secrets.postgresPassword,
      redisPassword: passwordOf(secrets, 'redis'),
    },
    fleet.around,
  );
  const isNamed = given(env, 'DATABASE_URL') !== undefined;
  const databaseUrls = isNamed
    ? sameForAll(databaseUrl)
    : await openDatabaseRoles(databaseUrl, secrets, layout.rootDir);
  return { ...planned, databaseUrls, redisUrl };
}

/** What a person needs to try the product. */
type Shown = Pick<Announcement, 'app' | 'readKey'>;

/** Starts everything except the stores; returns what to show. The catalog is applied before its readers start. */
async function startProcesses(options: RunOptions, opened: Instance, fleet: Fleet): Promise<Shown> {
  const { say } = fleet.around;
  say.info('Migrating the database …');
  await fleet.migrate(opened);
  say.info('Starting the services …');
  await Promise.all([fleet.start(opened, 'console-service'), fleet.start(opened, 'fraud-service')]);
  const instance = await withAcceptedKey(opened, fleet);
  const catalog = openCatalogClient(manageAtOf(instance));
  try {
    const file = options.catalog ?? instance.layout.demoCatalogFile;
    const { changeCount, notes } = await catalog.apply(file, { onlyIfEmpty: options.catalog === null });
    if (changeCount > 0)
      say.info(
        `Catalog ${file}: ${changeCount} ${changeCount === 1 ? 'object' : 'objects'} created or changed.`,
      );
    for (const note of notes) say.warn(`${file}: ${note}`);
    const shown = Promise.all([
      catalog.findApp(file),
      catalog.openReadKey(instance.folder.at('keys', 'read')),
    ]);
    await fleet.startRest(instance);
    const [app, readKey] = await shown;
    return { app, readKey };
  } finally {
    catalog.close();
  }
}

function factsOf(instance: Instance, shown: Shown): Announcement {
  return {
    gatewayUrls: gatewayPortsOf(instance).map((port) => `http://127.0.0.1:${port}`),
    manageUrl: manageUrlOf(instance),
    metrics: metricsUrlsOf(instance),
    dataDir: instance.folder.dir,
    logsDir: instance.folder.at('logs'),
    keyRingFiles: keyRingFilesOf(instance),
    keyFile: operatorKeyFileOf(instance),
    ...shown,
  };
}

/** The file by which the `placard` command finds a running instance. */
function instanceText(facts: Announcement): string {
  const value = {
    pid: process.pid,
    manage_url: facts.manageUrl,
    gateway_url: facts.gatewayUrls[0],
    key_file: facts.keyFile,
    key_ring_files: facts.keyRingFiles,
    started_at: new Date().toISOString(),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
