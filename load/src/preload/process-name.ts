const SCRIPT = /[/\\]((?:gateway|[a-z]+-service))[/\\]dist[/\\](main|worker)\.js$/;

/** The name of the product's process that runs this script, such as `settlement-worker`; null: another program. */
export function processName(script: string | undefined): string | null {
  const [, service, entry] = SCRIPT.exec(script ?? '') ?? [];
  if (service === undefined) return null;
  return entry === 'worker' ? 'settlement-worker' : service;
}
