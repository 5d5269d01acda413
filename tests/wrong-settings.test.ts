import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from './driver/free-port.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** EX_CONFIG of sysexits. A scheduler shows it as the reason. */
const EXIT_CONFIG = 78;
const START_MS_MAX = 60_000;

interface Case {
  readonly entry: string;
  /** A setting with a wrong value, and its fault in the log. */
  readonly wrong: readonly [name: string, value: string, fault: string];
  /** A required setting that is not set. */
  readonly missing: string;
}

const NO_NUMBER = 'must be a whole number from';
const CASES: readonly Case[] = [
  { entry: 'gateway/dist/main.js', wrong: ['PORT', 'http', NO_NUMBER], missing: 'REDIS_URL' },
  {
    entry: 'session-service/dist/main.js',
    wrong: ['SESSION_TTL_SECONDS', '1h', NO_NUMBER],
    missing: 'SESSION_TOKEN_KEYS',
  },
  {
    entry: 'serving-service/dist/main.js',
    wrong: ['OPEN_FILLS_MAX', '-1', NO_NUMBER],
    missing: 'IMPRESSION_TOKEN_KEYS',
  },
  {
    entry: 'events-service/dist/main.js',
    wrong: ['REDIS_CA_FILE', 'no-such.crt', 'no-such.crt is no PEM file with certificates of authorities'],
    missing: 'DATABASE_URL',
  },
  {
    entry: 'events-service/dist/worker.js',
    wrong: ['EVENTS_KEPT_DAYS', '3', NO_NUMBER],
    missing: 'REDIS_URL',
  },
  {
    entry: 'fraud-service/dist/main.js',
    wrong: ['FRAUD_RULES', '{', 'must be JSON'],
    missing: 'DATABASE_URL',
  },
  {
    entry: 'console-service/dist/main.js',
    wrong: ['EVENTS_SERVICE_ADDRESS', 'events', 'must be host:port'],
    missing: 'DATABASE_URL',
  },
];
const MIGRATIONS = ['events-service', 'fraud-service', 'console-service'] as const;

describe('a process whose settings are wrong or missing', () => {
  let outcomes: readonly Outcome[];
  before(async () => {
    outcomes = await Promise.all(CASES.map(runRefused));
  }).timeout(START_MS_MAX);

  for (const [index, { entry, wrong, missing }] of CASES.entries()) {
    const [name, value, fault] = wrong;
    it(`ends with one sentence that names all faults, without answering a probe: ${entry}`, () => {
      const { status, lines, isAnswering } = outcomes[index]!;
      expect(status).to.equal(EXIT_CONFIG);
      expect(lines).to.have.length(1);
      const { level, msg } = JSON.parse(lines[0]!) as { level: unknown; msg: string };
      expect(level).to.be.oneOf(['fatal', 60]);
      expect(msg).to.match(/^Wrong settings: .*\. Correct them and start again\.$/);
      expect(msg).to.contain(`${name}: ${fault}`).and.to.contain(`${missing}: is not set`);
      expect(msg).to.not.contain(`${name}=${value}`);
      expect(isAnswering).to.equal(false);
    });
  }

  it('ends in the same way when only the start finds a wrong setting', async () => {
    const needed = {
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      REDIS_URL: 'redis://127.0.0.1:1',
      NETWORK_HASH_KEY: 'sixteen characters',
    };
    const runs = [
      {
        wrong: { HOST: '192.0.2.1' },
        fault: /HOST \(or METRICS_HOST\): 192\.0\.2\.1 is no address of this machine/,
      },
      { wrong: { COUNTRY_DB: 'package.json' }, fault: /COUNTRY_DB: package\.json is no country database/ },
    ];
    const ended = await Promise.all(
      runs.map(({ wrong }) => run('gateway/dist/main.js', { ...needed, ...wrong })),
    );
    for (const [index, { status, lines }] of ended.entries()) {
      expect(status).to.equal(EXIT_CONFIG);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(runs[index]!.fault).and.not.include('"stack"');
    }
  }).timeout(START_MS_MAX);

  it('ends a settlement worker that requires TLS for its plain stores only, because it needs no certificate', async () => {
    const { status, lines } = await run('events-service/dist/worker.js', {
      DATABASE_URL: 'postgres://u:p@postgres.example.com/d',
      REDIS_URL: 'redis://redis.example.com',
      REQUIRE_TLS: '1',
    });
    expect(status).to.equal(EXIT_CONFIG);
    expect(lines.join())
      .to.match(/DATABASE_URL: reaches .*REDIS_URL: reaches /)
      .and.not.contain('TLS_CERT_FILE');
  }).timeout(START_MS_MAX);

  it('ends a migration with one sentence too, also when the database cannot be reached', async () => {
    const migrate = (env: Readonly<Record<string, string>>) =>
      Promise.all(MIGRATIONS.map((service) => run(`${service}/dist/migrate.js`, env)));
    for (const [env, wantedStatus, wanted] of [
      [{}, EXIT_CONFIG, /^Wrong settings: DATABASE_URL: is not set/],
      [
        { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', DATABASE_SERVER_NAME: 'primary.internal' },
        EXIT_CONFIG,
        /^Wrong settings: DATABASE_SERVER_NAME: needs TLS; end DATABASE_URL with \?sslmode=verify-full\./,
      ],
      [
        { DATABASE_URL: 'postgres://u:p@postgres.example.com/d', REQUIRE_TLS: '1' },
        EXIT_CONFIG,
        /^Wrong settings: DATABASE_URL: reaches another machine without TLS, and REQUIRE_TLS is 1;/,
      ],
      [
        { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' },
        1,
        /^could not migrate: .*[^.]\. Nothing was half-applied/,
      ],
    ] as const) {
      for (const { status, lines } of await migrate(env)) {
        expect(status).to.equal(wantedStatus);
        expect(lines).to.have.length(1);
        const { name, msg } = JSON.parse(lines[0]!) as { readonly name: string; readonly msg: string };
        expect(name).to.match(/-service-migration$/);
        expect(msg).to.match(wanted);
      }
    }
  }).timeout(START_MS_MAX);
});

interface Outcome {
  readonly status: number | string | null;
  readonly lines: readonly string[];
  readonly isAnswering: boolean;
}

/** Starts a process with one wrong setting and without its required ones, and probes it after its end. */
async function runRefused({ entry, wrong: [name, value] }: Case): Promise<Outcome> {
  const port = await freePort();
  const ended = await run(entry, { [name]: value, METRICS_PORT: String(port) });
  const isAnswering = await fetch(`http://127.0.0.1:${port}/readyz`).then(
    () => true,
    () => false,
  );
  return { ...ended, isAnswering };
}

function run(entry: string, env: Readonly<Record<string, string>>): Promise<Omit<Outcome, 'isAnswering'>> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { PATH: process.env['PATH'], ...env }, timeout: START_MS_MAX };
    execFile(process.execPath, [path.join(ROOT, entry)], options, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
      resolve({ status: error === null ? 0 : (error.code ?? null), lines });
    });
  });
}
