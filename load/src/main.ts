import { listenForStop } from '@placard/local';
import { runLoad } from './command.js';

const EXIT_FORCED = 1;

const stopping = listenForStop(() => process.exit(EXIT_FORCED));
process.exit(await runLoad(process.argv.slice(2), stopping));
