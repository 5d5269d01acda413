import { announce, setting } from './announce.js';
import { openScript, serveStep } from './step.js';

/** As long as an impression token of the product, so that answers are of the same size. */
const TOKEN = 'x'.repeat(720);

const { run } = openScript(setting('REDIS_URL'));
announce(await serveStep(async ({ key }) => ({ count: await run(`back:${key}`), token: TOKEN })));
