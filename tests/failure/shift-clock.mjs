// Loaded into every process of a product under faults (`--import`): its wall clock is as far off as the file of clocks says
// for the process's metrics port, in milliseconds. Timers and `performance.now()` stay as they are, as on a real machine.
import { readFileSync } from 'node:fs';

const READ_MS = 50;
const { FAILURE_CLOCKS_FILE: file, METRICS_PORT: port } = process.env;

if (file !== undefined && port !== undefined) {
  const realNow = Date.now;
  let offMs = 0;
  const read = () => {
    try {
      offMs = JSON.parse(readFileSync(file, 'utf8'))[port] ?? 0;
    } catch {
      // It is being written.
    }
  };
  Date.now = () => realNow() + offMs;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [Date.now()] : args, self),
    apply: (target) => new target(Date.now()).toString(),
  });
  read();
  setInterval(read, READ_MS).unref();
}
