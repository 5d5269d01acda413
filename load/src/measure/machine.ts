import os from 'node:os';

/** The machine of a measurement, with its load, since figures of a busy machine are unreliable. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  /** Load averages of 1, 5 and 15 minutes before the run. */
  readonly loadBefore: readonly number[];
}

const GIB = 1_073_741_824;

/** Describes this machine and its current load. */
export function describeMachine(): Machine {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / GIB),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    loadBefore: os.loadavg().map((load) => Math.round(load * 100) / 100),
  };
}
