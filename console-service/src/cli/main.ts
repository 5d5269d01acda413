import { runPlacard } from './program.js';

// A reader such as `head` may go before everything is written.
process.stdout.on('error', () => undefined);
process.exitCode = await runPlacard(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
