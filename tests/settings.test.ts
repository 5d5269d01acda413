import { expect } from 'chai';
import { readLifecycleConfig } from '@placard/service-kit';
import { processes, sampleOf, settingNames, type ReadSettings } from './kubernetes/processes.js';

/** A valid value that is not the default, for each setting that is not secret. */
const VALUES: Readonly<Record<string, string>> = {
  HOST: '127.0.0.1',
  METRICS_HOST: '127.0.0.1',
  LOG_LEVEL: 'debug',
  PORT: '5',
  HTTP_PORT: '5',
  MANAGE_PORT: '5',
  GRPC_PORT: '5',
  WRITE_GRPC_PORT: '5',
  METRICS_PORT: '5',
  DRAIN_SECONDS: '5',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  TLS_CERT_FILE: '/tls/tls.crt',
  TLS_KEY_FILE: '/tls/tls.key',
  TLS_CA_FILE: '/tls/ca.crt',
  REQUIRE_TLS: '1',
  GRPC_REFLECTION: '0',
  SESSION_SERVICE_ADDRESS: 'session:5',
  SERVING_SERVICE_ADDRESS: 'serving:5',
  EVENTS_SERVICE_ADDRESS: 'events:5',
  EVENTS_SERVICE_WRITE_ADDRESS: 'events:6',
  FRAUD_SERVICE_ADDRESS: 'fraud:5',
  CONSOLE_SERVICE_ADDRESS: 'console:5',
  CONSOLE_HTTP_URL: 'http://console:5',
  MANAGE_URL: 'http://console:6',
  CATALOG_CACHE_FILE: '/tmp/catalog',
  DATABASE_SERVER_NAME: 'postgres.internal',
  REDIS_SERVER_NAME: 'redis.internal',
  DATABASE_POOL_MAX: '5',
  DATABASE_REPORT_POOL_MAX: '5',
  SESSION_TTL_SECONDS: '5',
  AD_TTL_SECONDS: '5',
  EVENT_WINDOW_SECONDS: '5',
  MIN_CLICK_DELAY_MS: '5',
  OPEN_FILLS_MAX: '5',
  EXPLAIN_SAMPLE: '0.5',
  SETTLEMENT_ROWS_MAX: '5',
  CURRENCY: 'EUR',
  EVENTS_KEPT_DAYS: '5',
  SUSPICIOUS_EVENTS_KEPT_DAYS: '5',
  SUSPICIOUS_EVENTS_KEPT_MAX: '5000',
  FRAUD_RULES: '{"clicks_per_hour":5}',
  FRAUD_SHADOW_RULES: 'clicks_per_hour',
  RATE_LIMITS: '{"events":{"network":5}}',
  NETWORK_CONNECTIONS_MAX: '5',
  TRUST_PROXY: 'true',
  COUNTRY_HEADER: 'X-Country',
  CORS_ORIGINS: 'https://app.example.com',
  COUNTRY_DB: 'package.json',
};
/** Blanks and line ends that a file, a shell or a manifest may leave around a value. */
const AROUND = [
  ['', '\n'],
  ['', '\r\n'],
  [' ', ' '],
  ['\t\n', ''],
] as const;

const valueOf = (name: string): string => VALUES[name] ?? sampleOf(name);
const readers: readonly (readonly [string, ReadSettings])[] = [
  ...Object.entries(processes),
  ['every process', readLifecycleConfig],
];

for (const [process, read] of readers) {
  describe(`the settings of ${process}`, () => {
    const names = [...settingNames(read)];
    const all = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    const shown = (environment: NodeJS.ProcessEnv): string => showSettings(read(environment));

    for (const name of names) {
      it(`ignore blanks and line ends around ${name}`, () => {
        expect(valueOf(name), 'a value of this test').to.not.equal('');
        for (const [before, after] of AROUND)
          expect(shown({ ...all, [name]: `${before}${valueOf(name)}${after}` })).to.equal(shown(all));
      });
    }

    it('count as not set when the value is blank', () => {
      for (const name of names) {
        const outcomes = ['', ' \n'].map((blank) => outcomeOf(() => shown({ ...all, [name]: blank })));
        expect(outcomes[1], name).to.equal(outcomes[0]);
      }
    });
  });
}

/** Settings as a text. A function is shown by its result for one address, a key ring by the names of its keys. */
function showSettings(settings: object): string {
  return JSON.stringify(settings, (_, value: unknown) =>
    typeof value === 'function'
      ? (value as (address: string, hop: number) => unknown)('192.0.2.1', 0)
      : value,
  );
}

function outcomeOf(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}
