import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule } from 'libpg-query';
import { functionTexts, notNullFaults, takenFaults, type FindUse } from './migrations/contract-rules.js';
import { lockedTablesFaults, LOCKING_RULES } from './migrations/locking-rules.js';
import { parseMigration, type ParsedMigration } from './migrations/parsed-migration.js';
import { usesOfReleases } from './migrations/released-uses.js';
import { GRANDFATHERED, LARGE_TABLES, SMALL_TABLES } from './migrations/tables.js';
import { ROOT } from './tidy/source-files.js';

/** The faults of the last migration; the others come before it in the same folder. */
function faultsOf(migrations: readonly ParsedMigration[], findUse: FindUse): readonly string[] {
  const earlier = migrations.slice(0, -1);
  const [migration] = migrations.slice(-1);
  if (migration === undefined) return [];
  const functions = functionTexts(migrations);
  const findAnyUse: FindUse = (name) => {
    const using = [...functions].find(
      ([own, text]) => !own.endsWith(name) && new RegExp(`\\b${name}\\b`).test(text),
    );
    return using === undefined ? findUse(name) : `the function ${using[0]}`;
  };
  return [
    ...migration.statements.flatMap((statement) => [
      ...LOCKING_RULES.flatMap((rule) => rule(statement, migration)),
      ...takenFaults(statement, findAnyUse),
    ]),
    ...lockedTablesFaults(migration),
    ...notNullFaults(migration, earlier),
  ].map((fault) => `${migration.file} ${fault}`);
}

/** The services that have migrations. */
const SERVICES = readdirSync(ROOT).filter(
  (name) => name.endsWith('-service') && readdirSync(join(ROOT, name)).includes('migrations'),
);

/** The migrations of a service in their order. */
function migrationsOf(service: string): readonly ParsedMigration[] {
  const folder = `${service}/migrations`;
  return readdirSync(join(ROOT, folder))
    .sort()
    .map((name) => parseMigration(`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8')));
}

describe('migrations stop nobody', () => {
  before(loadModule);

  it('every table that a migration creates is listed as large or small, and no other is', () => {
    const created = new Set(SERVICES.flatMap(migrationsOf).flatMap((migration) => [...migration.created]));
    expect([...LARGE_TABLES, ...SMALL_TABLES]).to.have.members([...created]);
  });

  for (const service of SERVICES) {
    it(`those of ${service} take no long lock, and nothing that a release in use needs`, () => {
      const migrations = migrationsOf(service);
      const faults = migrations.flatMap(({ file }, index) =>
        GRANDFATHERED.has(file) ? [] : faultsOf(migrations.slice(0, index + 1), usesOfReleases),
      );
      expect(faults, faults.join('\n')).to.deep.equal([]);
    });
  }

  /** Releases that use one column. */
  const USES: FindUse = (name) => (name === 'used' ? 'events-service/src/x.sql of 1.0.0' : null);
  const check = (...texts: readonly string[]): readonly string[] =>
    faultsOf(
      texts.map((text, index) => parseMigration(`00${index + 1}`, text)),
      USES,
    );

  const EVENT = 'ALTER TABLE events.event';
  const refused: readonly [string, string][] = [
    ['CREATE INDEX a ON events.event (app_id)', 'nobody can write events.event'],
    ['CREATE INDEX a ON events.event_20261129 (app_id)', 'nobody can write events.event_20261129'],
    ['CREATE INDEX CONCURRENTLY a ON events.event (app_id)', 'has IF NOT EXISTS and a file of its own'],
    [
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON b.c (d); SELECT 1',
      'has IF NOT EXISTS and a file of its own',
    ],
    [`${EVENT} ADD COLUMN a timestamptz DEFAULT clock_timestamp()`, 'gets a value by row'],
    [`${EVENT} ADD COLUMN a uuid DEFAULT gen_random_uuid()`, 'gets a value by row'],
    [`${EVENT} ADD COLUMN a bigserial`, 'gets a value by row'],
    [`${EVENT} ADD COLUMN a int8 GENERATED ALWAYS AS (cost_nanos * 2) STORED`, 'gets a value by row'],
    [`${EVENT} ADD COLUMN a int8 NOT NULL`, 'the previous release inserts without it'],
    ['ALTER TABLE b.small ADD COLUMN a int8 NOT NULL', 'the previous release inserts without it'],
    [`${EVENT} ADD COLUMN a int8 DEFAULT 0 CHECK (a >= 0)`, 'the constraint of events.event.a scans'],
    [`${EVENT} ALTER COLUMN cost_nanos TYPE numeric`, 'rewrites events.event'],
    [`${EVENT} ALTER COLUMN country SET NOT NULL`, 'SET NOT NULL scans events.event'],
    [`${EVENT} ADD CONSTRAINT a CHECK (cost_nanos < 10)`, 'add a NOT VALID'],
    ['ALTER TABLE ledger.entry ADD CONSTRAINT a FOREIGN KEY (b) REFERENCES c.d (e)', 'add a NOT VALID'],
    [`${EVENT} ADD CONSTRAINT a UNIQUE (request_id, day)`, 'ADD CONSTRAINT … USING INDEX'],
    [
      `${EVENT} ADD CONSTRAINT a CHECK (b) NOT VALID; ${EVENT} VALIDATE CONSTRAINT a`,
      'has a file of its own',
    ],
    [`${EVENT} DROP COLUMN used`, 'which events-service/src/x.sql of 1.0.0 uses'],
    ['DROP TABLE events.used', 'which events-service/src/x.sql of 1.0.0 uses'],
    ['DROP FUNCTION events.used(int)', 'which events-service/src/x.sql of 1.0.0 uses'],
    [
      `CREATE FUNCTION a.b() RETURNS void AS 'SELECT free' LANGUAGE sql; ${EVENT} DROP COLUMN free`,
      'function a.b uses',
    ],
    [`${EVENT} RENAME COLUMN free TO other`, 'uses the old name'],
    [`${EVENT} RENAME TO other`, 'uses the old name'],
    [`${EVENT} SET SCHEMA ledger`, 'uses the old name'],
    ['LOCK TABLE events.event', 'LOCK TABLE stops everybody'],
    ['TRUNCATE events.fills', 'TRUNCATE stops everybody'],
    ['UPDATE events.event SET country = NULL', 'in small steps'],
    ['DELETE FROM ledger.entry WHERE amount_nanos = 0', 'in small steps'],
    ['VACUUM FULL events.event', 'an operator’s work'],
    ['CLUSTER events.event', 'an operator’s work'],
    ['REINDEX TABLE events.event', 'an operator’s work'],
    ['DO $$ BEGIN DELETE FROM events.event; END $$', 'hides its statements'],
    [
      `${EVENT} ADD a int; ALTER TABLE ledger.entry ADD a int`,
      'locks events.event and ledger.entry together',
    ],
  ];
  for (const [text, fault] of refused)
    it(`refused: ${text}`, () => {
      const faults = check(text);
      expect(faults.join('\n')).to.contain(fault);
    });

  const allowed: readonly string[][] = [
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON events.event (app_id)'],
    ['CREATE TABLE stats.request_hour (a int NOT NULL); CREATE INDEX b ON stats.request_hour (a)'],
    ['CREATE INDEX a ON accounts.deposits (booked_at)'],
    [`${EVENT} ADD COLUMN a text NOT NULL DEFAULT ''`],
    [`${EVENT} ADD COLUMN a timestamptz NOT NULL DEFAULT now()`],
    [
      `${EVENT} ADD COLUMN a timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP, ADD COLUMN b int8 DEFAULT '1'::int8`,
    ],
    [`${EVENT} ADD CONSTRAINT a CHECK (cost_nanos < 10) NOT VALID`, `${EVENT} VALIDATE CONSTRAINT a`],
    [
      `${EVENT} ADD CONSTRAINT a CHECK (country IS NOT NULL) NOT VALID`,
      `${EVENT} VALIDATE CONSTRAINT a`,
      `${EVENT} ALTER COLUMN country SET NOT NULL`,
    ],
    [`${EVENT} DROP COLUMN free`],
    ['DROP TABLE events.free'],
  ];
  for (const texts of allowed)
    it(`allowed: ${texts.join(', then ')}`, () => expect(check(...texts)).to.deep.equal([]));

  it('a check that was not validated does not allow SET NOT NULL', () => {
    const [first, last] = [
      `${EVENT} ADD CONSTRAINT a CHECK (country IS NOT NULL) NOT VALID`,
      `${EVENT} ALTER country SET NOT NULL`,
    ];
    expect(check(first, last)).to.have.lengthOf(1);
  });

  it('a name is in use when the code of the last release has it as a word', () => {
    expect(usesOfReleases('cost_nanos')).to.match(/^events-service\/src\/.*\.(sql|ts) of \d+\.\d+\.\d+$/);
    expect(usesOfReleases('cost_nano')).to.equal(null);
  });
});
