// A stand-in for a service. It is ready on its port, stops like a real one and records that in FAKE_NOTES. FAKE_FAULT=<name>
// ends the service of that name with a message.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [service, entry] = process.argv.slice(2);
if (process.env.FAKE_FAULT === service) {
  console.log(JSON.stringify({ level: 60, msg: 'Wrong settings: AD_TTL_SECONDS: must be a whole number.' }));
  process.exit(78);
}
const leave = () => {
  const left = entry === 'worker' ? 'settlement-worker' : service;
  if (process.env.FAKE_NOTES) appendFileSync(process.env.FAKE_NOTES, `${JSON.stringify({ left })}\n`);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, leave);
const answer = (_, response) => response.end('ok');
createServer(answer).listen(Number(process.env.METRICS_PORT), '127.0.0.1');
if (service === 'gateway') createServer(answer).listen(Number(process.env.PORT), process.env.HOST);
