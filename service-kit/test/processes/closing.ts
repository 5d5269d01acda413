import { runProcess } from '@placard/service-kit';

// A process that opens two resources, reports that, and closes them in the way of its first argument.
const program = new URL('../closing.ts', import.meta.url).href;
await runProcess('closing', program, async (scope) => {
  const how = process.argv[2];
  scope.onClose('first', () => void process.stdout.write('closed first\n'));
  scope.onClose('second', async () => {
    process.stdout.write(`closed second, ready ${scope.health.isReady()}\n`);
    if (how === 'hang') await new Promise(() => undefined);
  });
  const alive = setInterval(() => undefined, 1_000);
  scope.onClose('timer', () => clearInterval(alive));
  if (how === 'fail') throw new Error('no luck');
  await Promise.resolve();
  if (how === 'crash') setImmediate(() => void Promise.reject(new Error('unexpected')));
  process.stdout.write('opened\n');
});
