import type { DemoApp } from './catalog.js';

/** Facts of a running instance for a person. */
export interface Announcement {
  readonly gatewayUrl: string;
  readonly consoleAddress: string;
  /** Address of the metrics of each process, by name. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly logsDir: string;
  /** Files of the key rings that `placard keys rotate` may rotate. */
  readonly keyRingFiles: readonly string[];
  /** Null when the catalog has no app. */
  readonly app: DemoApp | null;
}

const LABEL_WIDTH = 10;

/** The lines that are printed once everything answers. The first line is `READY`. */
export function announcementOf(facts: Announcement): readonly string[] {
  const row = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)}${text}`;
  const nameWidth = Math.max(...Object.keys(facts.metrics).map((name) => name.length)) + 2;
  return [
    'READY',
    '',
    row('gateway', `${facts.gatewayUrl}/v1`),
    row('docs', `${facts.gatewayUrl}/docs`),
    row('console', `${facts.consoleAddress} (gRPC; the placard command finds it)`),
    ...Object.entries(facts.metrics).map(([name, url], index) =>
      row(index === 0 ? 'metrics' : '', `${name.padEnd(nameWidth)}${url}`),
    ),
    row('data', facts.dataDir),
    row('logs', facts.logsDir),
    '',
    ...tryIt(facts),
    '',
    'Stop with Ctrl-C.',
  ];
}

function tryIt({ app, gatewayUrl }: Announcement): readonly string[] {
  if (app === null) return ['The catalog shows no app yet: npx placard catalog apply FILE'];
  return [
    `Demo app key: ${app.appKey} (package ${app.packageName}). Start a session:`,
    '',
    initializeCurl(gatewayUrl, app),
  ];
}

/** A shell command in one line that starts a session. */
export function initializeCurl(gatewayUrl: string, app: DemoApp): string {
  const body = JSON.stringify({ app_key: app.appKey, package_name: app.packageName });
  const quoted = `'${body.replaceAll("'", `'\\''`)}'`;
  return `curl -sS ${gatewayUrl}/v1/sdk/initialize -H 'Content-Type: application/json' -d ${quoted}`;
}
