import type { DemoApp } from './catalog.js';

/** Facts of a running instance for a person. */
export interface Announcement {
  /** At least one. */
  readonly gatewayUrls: readonly string[];
  readonly manageUrl: string;
  /** Address of the metrics of each process, by name. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly logsDir: string;
  /** Files of the key rings that `placard keys rotate` may rotate. */
  readonly keyRingFiles: readonly string[];
  /** File of the API key of the `placard` command. Null: the operator has set the key directly. */
  readonly keyFile: string | null;
  /** A key with which the page `/try` lists apps and explains no-fills. Null: there is none. */
  readonly readKey: string | null;
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
    ...facts.gatewayUrls.map((url, index) => row(index === 0 ? 'gateway' : '', `${url}/v1`)),
    row('docs', `${firstUrl(facts)}/docs`),
    row('try', tryAddress(facts)),
    row('console', `${facts.manageUrl}/manage/v1 (the placard command finds it)`),
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

function firstUrl({ gatewayUrls }: Announcement): string {
  return gatewayUrls[0] ?? '';
}

/** The page `/try`. The part after the # stays in the browser: what the page types into its form. */
function tryAddress(facts: Announcement): string {
  const { readKey, app } = facts;
  const typed = new URLSearchParams({
    ...(readKey === null ? {} : { key: readKey }),
    ...(app === null ? {} : { app: app.appKey, package: app.packageName }),
  });
  return `${firstUrl(facts)}/try${typed.size === 0 ? '' : `#${typed.toString()}`}`;
}

function tryIt(facts: Announcement): readonly string[] {
  const { app } = facts;
  if (app === null) return ['The catalog shows no app yet: npx placard catalog apply FILE'];
  return [
    `Demo app key: ${app.appKey} (package ${app.packageName}). Start a session:`,
    '',
    initializeCurl(firstUrl(facts), app),
  ];
}

/** A shell command in one line that starts a session. */
export function initializeCurl(gatewayUrl: string, app: DemoApp): string {
  const body = JSON.stringify({ app_key: app.appKey, package_name: app.packageName });
  const quoted = `'${body.replaceAll("'", `'\\''`)}'`;
  return `curl -sS ${gatewayUrl}/v1/sdk/initialize -H 'Content-Type: application/json' -d ${quoted}`;
}
