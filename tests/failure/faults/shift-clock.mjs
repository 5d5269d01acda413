// Loaded into every process of a product under faults (`--import`). It shifts the wall clock by the milliseconds that the
// file of clocks has for the process's metrics port. Timers and `performance.now()` do not change, like on a real machine.
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
      // The file is being written.
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
