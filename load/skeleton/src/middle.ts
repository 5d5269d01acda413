import { announce, setting } from './announce.js';
import { openScript, openStep, serveStep } from './step.js';

const { run } = openScript(setting('REDIS_URL'));
const next = openStep(setting('BACK_ADDRESS'));

announce(
  await serveStep(async (request) => {
    await run(`middle:${request.key}`);
    return next(request);
  }),
);
