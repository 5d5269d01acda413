import { expect } from 'chai';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('processes/closing.ts', import.meta.url));
const NODE_OPTIONS = ['--import=tsx', '--conditions=source'];

interface Run {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly said: (line: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

function follow(child: ChildProcess): Run {
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  return {
    child,
    text: () => text,
    said: (line) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.includes(line)) resolve();
        };
        listeners.add(look);
        look();
      }),
    ended: endOf(child),
  };
}

/** Its exit status, once all its output was read. (`close` is not emitted after a disconnect.) */
async function endOf(child: ChildProcess): Promise<number | null> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const read = streams.map((stream) => new Promise((resolve) => stream.once('close', resolve)));
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  await Promise.all(read);
  return status;
}

function start(how: string, env: NodeJS.ProcessEnv = {}): Run {
  const options = { env: { ...process.env, LOG_LEVEL: 'warn', ...env }, stdio: 'pipe' } as const;
  return follow(spawn(process.execPath, [...NODE_OPTIONS, PROGRAM, how], options));
}

describe('runProcess', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`on ${signal} becomes not ready, closes in reverse and exits 0`, async () => {
      const run = start('well');
      await run.said('opened');
      run.child.kill(signal);
      expect(await run.ended).to.equal(0);
      expect(run.text()).to.include('closed second, ready false\nclosed first\n');
    });
  }

  it('still serves for DRAIN_SECONDS before it closes anything', async () => {
    const run = start('well', { DRAIN_SECONDS: '1' });
    await run.said('opened');
    const startedAt = performance.now();
    run.child.kill('SIGTERM');
    await run.said('closed second');
    expect(performance.now() - startedAt).to.be.at.least(1_000);
    expect(await run.ended).to.equal(0);
  });

  it('stops when its parent is gone', async () => {
    const child = fork(PROGRAM, ['well'], {
      execArgv: NODE_OPTIONS,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const run = follow(child);
    await run.said('opened');
    child.disconnect();
    expect(await run.ended).to.equal(0);
    expect(run.text()).to.include('closed first');
  });

  it('ends at once on a second signal', async () => {
    const run = start('hang');
    await run.said('opened');
    run.child.kill('SIGTERM');
    await run.said('closed second');
    run.child.kill('SIGTERM');
    expect(await run.ended).to.equal(1);
    expect(run.text()).to.not.include('closed first');
  });

  it('closes its resources and exits 1 when it cannot start', async () => {
    const run = start('fail');
    expect(await run.ended).to.equal(1);
    expect(run.text()).to.include('could not start: no luck').and.include('closed first');
  });

  it('closes what is open and exits 1 on an unexpected error', async () => {
    const run = start('crash');
    expect(await run.ended).to.equal(1);
    expect(run.text()).to.include('unexpected').and.include('closed first');
  });

  it('names the wrong settings and exits 78', async () => {
    const run = start('well', { LOG_LEVEL: 'loud', DRAIN_SECONDS: '-1' });
    expect(await run.ended).to.equal(78);
    expect(run.text()).to.include('LOG_LEVEL').and.include('DRAIN_SECONDS').and.not.include('opened');
  });
});
