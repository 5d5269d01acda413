import { createRequire } from 'node:module';
import { Gauge } from 'prom-client';
import type { Scope } from './scope.js';

/** Shows the process and the version of its service as a metric. `main` is in a folder beside the service's package.json. */
export function showBuildInfo({ metrics, name }: Pick<Scope, 'metrics' | 'name'>, main: string): void {
  const { version } = createRequire(main)('../package.json') as { readonly version: string };
  new Gauge({
    name: 'placard_build_info',
    help: 'Always 1: which process this is, and the version of its service',
    labelNames: ['process', 'version'] as const,
    registers: [metrics],
  }).set({ process: name, version }, 1);
}
