import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  chmodSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis } from '@placard/service-kit/redis';
import { expect } from 'chai';
import { rootDir } from '../src/layout.js';
import { isPortFree } from '../src/ports.js';
import { openSecrets, passwordOf } from '../src/settings/secrets.js';
import { isAlive, listedAlive, untilGone, type ListedProcess } from '../src/process/process-list.js';

const MAIN = path.join(rootDir, 'deploy', 'local', 'test', 'fakes', 'main.ts');
const POLL_MS = 20;
const GONE_MS_MAX = 15_000;

/** A start with real stores and stand-ins for the services. */
class Start {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  output = '';

  /** `limit`: a shell command that runs before the start. */
  constructor(options: object, env: Record<string, string> = {}, limit = 'true') {
    const command = ['--import', 'tsx', '--conditions=source', MAIN, JSON.stringify(options)];
    this.child = spawn(
      'sh',
      ['-c', `${limit} && exec "$@"`, 'sh', process.execPath, ...command],
      // The environment may name the stores of the test run. These starts use their own.
      { env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const keep = (chunk: Buffer): void => void (this.output += chunk.toString());
    this.child.stdout?.on('data', keep);
    this.child.stderr?.on('data', keep);
    this.exited = new Promise((resolve) => this.child.once('close', resolve));
  }

  async says(text: string | RegExp): Promise<void> {
    let isOver = false;
    void this.exited.then(() => (isOver = true));
    const found = (): boolean =>
      typeof text === 'string' ? this.output.includes(text) : text.test(this.output);
    while (!found()) {
      if (((): boolean => isOver)()) throw new Error(`ended without saying ${String(text)}:\n${this.output}`);
      await sleep(POLL_MS);
    }
  }

  ready(): Promise<void> {
    return this.says(/^READY$/m);
  }
}

/** A record of a stand-in. */
interface Note {
  readonly left?: string;
  readonly applied?: string;
  readonly onlyIfEmpty?: boolean;
}

/** The records in order. */
function notesIn(file: string): readonly Note[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Note);
}

describe('a start of the product', function () {
  this.timeout(60_000);
  let dir = '';
  let port = 0;
  let seen: readonly ListedProcess[] = [];
  const data = (...names: string[]): string => path.join(dir, 'data', ...names);
  const start = (env?: Record<string, string>, more: object = {}): Start =>
    new Start({ catalog: null, dataDir: data(), port, ...more }, env);
  const listed = (name: string): ListedProcess => {
    const found = listedAlive(data('processes.json')).find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  };
  /** Asks the Redis of the data folder. */
  const inRedis = async <Answer>(
    ask: (redis: ReturnType<typeof connectRedis>) => Promise<Answer>,
  ): Promise<Answer> => {
    const { redis: redisPort } = JSON.parse(readFileSync(data('ports.json'), 'utf8')) as { redis: number };
    const password = passwordOf(openSecrets(data('secrets.json')), 'redis');
    const url = `redis://:${password}@127.0.0.1:${redisPort}`;
    const redis = connectRedis({ url, name: 'test', waitsForRedis: true });
    return ask(redis).finally(() => redis.disconnect());
  };
  /** Records the running processes, to check their end later. */
  const remember = (): void => void (seen = listedAlive(data('processes.json')));
  const expectGone = async (): Promise<void> => {
    await untilGone(seen, GONE_MS_MAX);
    const left = seen.filter(isAlive);
    expect(left.map(({ name }) => name)).to.deep.equal([]);
  };

  before(async () => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-start-'));
    chmodSync(dir, 0o711);
    port = 31_000 + (process.pid % 1_000);
    while (!(await isPortFree(port, '0.0.0.0'))) port += 1;
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('records the instance while it runs, and ends with status 0 and without leftover processes on SIGTERM', async () => {
    const run = start();
    await run.ready();
    remember();
    const instance = JSON.parse(readFileSync(data('instance.json'), 'utf8')) as Record<string, unknown>;
    expect(instance).to.have.all.keys(
      'pid',
      'manage_url',
      'gateway_url',
      'key_file',
      'key_ring_files',
      'started_at',
    );
    expect(instance['pid']).to.equal(run.child.pid);
    for (const name of [
      'secrets.json',
      'instance.json',
      'ports.json',
      'processes.json',
      'keys/session',
      'redis/redis.conf',
    ])
      expect(statSync(data(...name.split('/'))).mode & 0o777, name).to.equal(0o600);
    for (const name of ['keys', 'logs', 'redis'])
      expect(statSync(data(name)).mode & 0o777, name).to.equal(0o700);
    run.child.kill('SIGTERM');
    expect(await run.exited).to.equal(0);
    await expectGone();
    expect(existsSync(data('instance.json'))).to.equal(false);
    expect(existsSync(data('processes.json'))).to.equal(false);
  });

  it('stops callers before the services that they call, and the stores last', async () => {
    const notes = path.join(dir, 'left');
    const run = start({ FAKE_NOTES: notes });
    await run.ready();
    const [redis, postgres] = [listed('redis'), listed('postgres')];
    run.child.kill('SIGTERM');
    while (!existsSync(notes) || !readFileSync(notes, 'utf8').includes('console-service')) {
      expect([redis, postgres].every(isAlive)).to.equal(true);
      await sleep(POLL_MS);
    }
    expect(await run.exited).to.equal(0);
    const left = notesIn(notes).flatMap((note) => note.left ?? []);
    const before = (one: string, other: string): void => {
      expect(left.indexOf(one), `${one} before ${other}`).to.be.within(0, left.indexOf(other) - 1);
    };
    before('gateway', 'serving-service');
    before('gateway', 'session-service');
    before('serving-service', 'events-service');
    before('events-service', 'fraud-service');
    before('session-service', 'fraud-service');
    before('settlement-worker', 'console-service');
    before('events-service', 'console-service');
  });

  it('applies the demo catalog only to an empty catalog, and a named catalog always', async () => {
    const notes = path.join(dir, 'applied');
    const catalog = path.join(dir, 'named.yaml');
    writeFileSync(catalog, 'global: {}\n');
    for (const more of [{}, { catalog }]) {
      const run = start({ FAKE_NOTES: notes }, more);
      await run.ready();
      run.child.kill('SIGTERM');
      expect(await run.exited).to.equal(0);
    }
    const applied = notesIn(notes).filter((note) => note.applied);
    expect(applied.map(({ onlyIfEmpty }) => onlyIfEmpty)).to.deep.equal([true, false]);
    expect(applied.map((note) => note.applied)).to.deep.equal([
      readFileSync(path.join(rootDir, 'deploy/local/demo-catalog.yaml'), 'utf8'),
      'global: {}\n',
    ]);
  });

  it('makes a new key when that of the data folder was revoked, and stops when that of the setting was', async () => {
    const notes = path.join(dir, 'renewed');
    const file = data('keys', 'operator');
    const revoked = readFileSync(file, 'utf8').trim();
    const run = start({ FAKE_REVOKED: revoked, FAKE_NOTES: notes });
    await run.ready();
    remember();
    expect(run.output).to.include(`The key in ${file} is not accepted any more`);
    expect(readFileSync(file, 'utf8'))
      .to.match(/^plk_[0-9a-f]{16}_[0-9a-f]{64}\n$/)
      .and.not.include(revoked);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(notesIn(notes).map(({ left, applied }) => left ?? typeof applied)).to.deep.equal([
      'console-service',
      'string',
    ]);
    run.child.kill('SIGTERM');
    expect(await run.exited).to.equal(0);
    await expectGone();
    const named = start({ BOOTSTRAP_KEY: revoked, FAKE_REVOKED: revoked });
    expect(await named.exited).to.equal(1);
    expect(named.output).to.include('does not accept the key in BOOTSTRAP_KEY');
  });

  it('reports another instance on the same data folder', async () => {
    const run = start();
    await run.ready();
    const second = start();
    expect(await second.exited).to.equal(1);
    expect(second.output).to.match(/^Placard already runs on the data folder .*--data DIR --port N\n$/);
    run.child.kill('SIGINT');
    expect(await run.exited).to.equal(0);
  });

  it('reports a used port, and runs beside another instance with its own folder and port', async () => {
    const run = start();
    await run.ready();
    const other = { dataDir: path.join(dir, 'other') };
    const clash = start({}, other);
    expect(await clash.exited).to.equal(1);
    expect(clash.output).to.match(/^Port \d+ is in use by another program\./m);
    expect(existsSync(other.dataDir)).to.equal(false);
    const beside = start({}, { ...other, port: port + 1_000 });
    await beside.ready();
    for (const each of [run, beside]) each.child.kill('SIGTERM');
    expect(await Promise.all([run.exited, beside.exited])).to.deep.equal([0, 0]);
  });

  it('leaves no process behind when it is killed, and the next start works', async () => {
    const run = start();
    await run.ready();
    remember();
    run.child.kill('SIGKILL');
    const next = start();
    await next.ready();
    // The start has waited for the end of all of them.
    expect(seen.filter(isAlive)).to.deep.equal([]);
    next.child.kill('SIGTERM');
    expect(await next.exited).to.equal(0);
  });

  it('works after everything was killed, the stores and their watchdog too', async () => {
    const run = start();
    await run.ready();
    remember();
    await inRedis((redis) => redis.set('kept', 'yes', 'EX', 300));
    process.kill(listed('watchdog').pid, 'SIGKILL');
    run.child.kill('SIGKILL');
    process.kill(listed('redis').pid, 'SIGKILL');
    const next = start();
    await next.ready();
    await expectGone();
    expect(await inRedis((redis) => redis.get('kept')), 'what Redis held').to.equal('yes');
    next.child.kill('SIGTERM');
    expect(await next.exited).to.equal(0);
  });

  it('restarts crashed services and stores, and reports it', async () => {
    const run = start();
    await run.ready();
    for (const name of ['serving-service', 'postgres', 'redis']) {
      const { pid } = listed(name);
      process.kill(pid, 'SIGKILL');
      await run.says(`${name} was ended by SIGKILL; it is started again`);
      while (listedAlive(data('processes.json')).every((entry) => entry.name !== name)) await sleep(POLL_MS);
      expect(listed(name).pid).not.to.equal(pid);
    }
    run.child.kill('SIGTERM');
    expect(await run.exited).to.equal(0);
  });

  it('continues when its list of processes cannot be written, and reports it once', async () => {
    const run = start();
    await run.ready();
    const { pid } = listed('fraud-service');
    rmSync(data('processes.json'));
    // Like on a full disk: writing the file fails, and so does its removal.
    mkdirSync(data('processes.json'));
    process.kill(pid, 'SIGKILL');
    await run.says(/fraud-service was ended by SIGKILL; it is started again/);
    await run.says(/The list of processes .* cannot be written/);
    run.child.kill('SIGTERM');
    expect(await run.exited).to.equal(0);
    expect(run.output.match(/cannot be written/g)).to.have.length(1);
    rmSync(data('processes.json'), { recursive: true });
  });

  it('is refused with one sentence when nothing can be written', async () => {
    const full = path.join(dir, 'full');
    const options = { catalog: null, dataDir: full, port };
    const run = new Start(options, {}, 'ulimit -f 0');
    expect(await run.exited).to.equal(1);
    expect(run.output).to.match(
      /^The data folder .*full cannot be written \(EFBIG.*\)\. Make room .*--data DIR\n$/,
    );
    expect(existsSync(path.join(full, 'lock'))).to.equal(false);
  });

  it('is refused for wrong settings before anything is started', async () => {
    const untouched = path.join(dir, 'untouched');
    const run = start({ AD_TTL_SECONDS: 'wrong' }, { dataDir: untouched });
    expect(await run.exited).to.equal(1);
    expect(run.output).to.include(
      'Wrong settings:\n  AD_TTL_SECONDS: must be a whole number (serving-service)',
    );
    expect(run.output).not.to.match(/answers on|Migrating|did not start|Stopp/);
    expect(existsSync(path.join(untouched, 'postgres'))).to.equal(false);
  });

  it('stops with a process’s message about a wrong setting', async () => {
    const run = start({ FAKE_FAULT: 'serving-service' });
    expect(await run.exited).to.equal(1);
    expect(run.output).to.include('Wrong settings: AD_TTL_SECONDS');
    expect(run.output).not.to.match(/^READY$/m);
  });

  it('stops with all faults of a catalog file', async () => {
    const catalog = path.join(dir, 'faulty.yaml');
    writeFileSync(catalog, 'faulty');
    const run = start({}, { catalog });
    expect(await run.exited).to.equal(1);
    expect(run.output).to.include('apps[0].name: is missing').and.to.include('apps[1].id: is twice');
  });

  it('stops with a sentence when the stores that the environment names do not answer', async () => {
    const database = start({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' });
    expect(await database.exited).to.equal(1);
    expect(database.output).to.match(
      /The database that DATABASE_URL names cannot be used \(.*\)\. Start it, correct DATABASE_URL or leave it out\./,
    );
    const redis = start({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await redis.exited).to.equal(1);
    expect(redis.output).to.include('No Redis answers at 127.0.0.1:1');
  });
});
