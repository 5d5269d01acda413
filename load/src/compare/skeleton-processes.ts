import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { rootDir } from '../root-dir.js';

/** The running skeleton. */
export interface Skeleton {
  /** `host:port` of its front process. */
  readonly address: string;
  readonly pids: Readonly<Record<string, number>>;
  close(): void;
}

const SCRIPTS = path.join(rootDir, 'load', 'skeleton', 'dist');

/** Starts the three processes of the skeleton on the stores of a product. */
export async function openSkeleton(redisUrl: string): Promise<Skeleton> {
  const children: ChildProcess[] = [];
  const start = async (name: string, env: Readonly<Record<string, string>>): Promise<string> => {
    const child = fork(path.join(SCRIPTS, `${name}.js`), {
      env: { ...process.env, NODE_ENV: 'production', REDIS_URL: redisUrl, ...env },
      execArgv: [],
    });
    children.push(child);
    const [message] = (await once(child, 'message')) as [{ readonly port: number }];
    return `127.0.0.1:${message.port}`;
  };
  const back = await start('back', {});
  const middle = await start('middle', { BACK_ADDRESS: back });
  const address = await start('front', { MIDDLE_ADDRESS: middle });
  const names = ['skeleton back', 'skeleton middle', 'skeleton front'];
  return {
    address,
    pids: Object.fromEntries(children.map(({ pid = 0 }, index) => [names[index] ?? '', pid])),
    close: () => {
      for (const child of children) if (child.connected) child.disconnect();
    },
  };
}
