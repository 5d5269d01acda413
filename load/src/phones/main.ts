import { listenForStop } from '@placard/local';
import { runPhones } from './command.js';

const EXIT_FORCED = 1;

const stopping = listenForStop(() => {
  const lineEnd = process.stdout.isTTY ? '\n' : '';
  process.stderr.write(`${lineEnd}phones: ended at once. What waits is not sent, and there is no book.\n`);
  process.exit(EXIT_FORCED);
});
process.exit(
  await runPhones(process.argv.slice(2), {
    env: process.env,
    screen: process.stdout,
    err: (text) => process.stderr.write(text),
    stopping,
  }),
);
