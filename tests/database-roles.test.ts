import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makePool, type Pool } from '@placard/service-kit/postgres';
import { migrate } from '@placard/service-kit/migrate';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';

const ROLES = readFileSync(new URL('../deploy/roles.sql', import.meta.url), 'utf8');
const PASSWORD = 'only-for-this-test';
/** Every owner of tables: its role, and the schemas that its migrations make. */
const OWNERS = [
  { service: 'events-service', role: 'placard_events', schemas: ['events', 'ledger', 'stats', 'budget'] },
  { service: 'fraud-service', role: 'placard_fraud', schemas: ['fraud'] },
  {
    service: 'console-service',
    role: 'placard_console',
    schemas: ['catalog', 'accounts', 'audit', 'access', 'manage', 'health', 'rewards'],
  },
] as const;

/** Objects in the schemas of an owner that belong to another role. */
const FOREIGN = `SELECT what FROM (
    SELECT nspname AS namespace, nspname::text AS what, nspowner AS owner FROM pg_namespace
    UNION ALL SELECT relnamespace::regnamespace::name, oid::regclass::text, relowner FROM pg_class
    UNION ALL SELECT pronamespace::regnamespace::name, oid::regprocedure::text, proowner FROM pg_proc
    UNION ALL SELECT typnamespace::regnamespace::name, oid::regtype::text, typowner FROM pg_type
  ) AS things WHERE namespace = ANY ($1) AND owner <> $2::regrole`;

for (const [how, isTakenOver] of [
  ['new', false],
  ['taken over from one role for everything', true],
] as const) {
  describe(`a database role for each owner of tables, in a database that is ${how}`, () => {
    let database: TestDatabase;
    const pools = new Map<string, Pool>();
    before(async () => {
      database = await openTestDatabase({ migrations: [] });
      if (isTakenOver) for (const owner of OWNERS) await migrateWith(database.url, owner);
      await database.pool.query(ROLES);
      await Promise.all(OWNERS.map((owner) => migrateAs(owner)));
    });
    after(async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
      const roles = OWNERS.map(({ role }) => role).join(', ');
      await database.pool.query(`DROP OWNED BY ${roles} CASCADE; DROP ROLE ${roles}`);
      await database.drop();
    });

    type Owner = (typeof OWNERS)[number];

    function migrateWith(url: string, { service, schemas }: Owner): Promise<void> {
      const dir = fileURLToPath(new URL(`../${service}/migrations`, import.meta.url));
      return migrate({ url, schema: schemas[0], dir });
    }

    async function migrateAs(owner: Owner): Promise<void> {
      await database.pool.query(`ALTER ROLE ${owner.role} PASSWORD '${PASSWORD}'`);
      const url = new URL(database.url);
      [url.username, url.password] = [owner.role, PASSWORD];
      await migrateWith(url.href, owner);
      pools.set(
        owner.role,
        makePool({ url: url.href, poolMax: 1 }, () => undefined),
      );
    }

    const ask = async (role: string, statement: string): Promise<unknown[]> => {
      const { rows } = await pools.get(role)!.query<Record<string, unknown>>(statement);
      return rows;
    };

    it('is defined for every schema', async () => {
      const made = await database.pool.query<{ nspname: string }>(
        "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('public', 'information_schema')",
      );
      expect(made.rows.map(({ nspname }) => nspname)).to.have.members(
        OWNERS.flatMap(({ schemas }) => [...schemas]),
      );
    });

    for (const { service, role, schemas } of OWNERS) {
      it(`can migrate the tables of ${service} and owns everything in its schemas`, async () => {
        const tables = `SELECT count(*)::int AS n FROM pg_tables WHERE tableowner = '${role}' AND schemaname = '${schemas[0]}'`;
        expect((await ask(role, tables))[0])
          .to.have.property('n')
          .that.is.above(0);
        expect((await database.pool.query(FOREIGN, [schemas, role])).rows).to.deep.equal([]);
      });

      it(`cannot see the tables of others: ${role}`, async () => {
        const foreign = OWNERS.filter((owner) => owner.role !== role).map(({ schemas: [schema] }) => schema);
        for (const schema of foreign) {
          const outcome = await ask(role, `SELECT * FROM ${schema}.migrations`).catch(String);
          expect(outcome).to.contain(`permission denied for schema ${schema}`);
        }
      });
    }

    it('is reused and gets its rights for the database of another environment', async () => {
      await database.pool.query(ROLES);
      expect(await ask('placard_events', 'SELECT count(*)::int AS n FROM events.migrations')).to.have.length(
        1,
      );
    });

    it('lets the settlement worker make and drop the days of events', async () => {
      await ask('placard_events', `SELECT events.ensure_partition('2026-01-31')`);
      await ask('placard_events', 'DROP TABLE events.event_20260131');
    });

    it('lets console-service insert into the audit and neither change nor delete', async () => {
      await ask(
        'placard_console',
        `INSERT INTO audit.changes (version, changed_at, actor, action, kind, object_id)
          VALUES (1, now(), 'a test', 'created', 'app', 'app_1')`,
      );
      for (const statement of [
        `UPDATE audit.changes SET actor = 'another'`,
        'DELETE FROM audit.changes',
        'TRUNCATE audit.changes',
      ]) {
        expect(await ask('placard_console', statement).catch(String)).to.contain('permission denied');
        expect(await database.pool.query(statement).catch(String)).to.match(
          /the audit is never changed: \w+ on/,
        );
      }
      expect(await ask('placard_console', 'SELECT actor FROM audit.changes')).to.deep.equal([
        { actor: 'a test' },
      ]);
    });
  });
}
