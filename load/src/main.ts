import { runLoad } from './command.js';

const EXIT_STOPPED = 130;

// Everything that was started leaves with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(EXIT_STOPPED));
if (process.channel !== undefined) process.on('disconnect', () => process.exit(EXIT_STOPPED));

process.exit(await runLoad(process.argv.slice(2)));
