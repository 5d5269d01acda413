import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makePool, type Pool } from '@placard/service-kit';
import { migrate } from '@placard/service-kit/migrate';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing';
import { expect } from 'chai';

const ROLES = readFileSync(new URL('../deploy/k8s/roles.sql', import.meta.url), 'utf8');
const PASSWORD = 'only-for-this-test';
/** Every owner of tables: its role, and the schemas that are its own. */
const OWNERS = [
  { service: 'events-service', role: 'placard_events', schemas: ['events', 'ledger', 'stats'] },
  { service: 'fraud-service', role: 'placard_fraud', schemas: ['fraud'] },
  { service: 'console-service', role: 'placard_console', schemas: ['catalog', 'accounts', 'audit'] },
] as const;

describe('a database role for each owner of tables', () => {
  let database: TestDatabase;
  const pools = new Map<string, Pool>();
  before(async () => {
    database = await openTestDatabase({ migrations: [] });
    await database.pool.query(ROLES);
    await Promise.all(OWNERS.map(({ service, role, schemas }) => migrateAs(service, role, schemas[0])));
  });
  after(async () => {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
    const roles = OWNERS.map(({ role }) => role).join(', ');
    await database.pool.query(`DROP OWNED BY ${roles} CASCADE; DROP ROLE ${roles}`);
    await database.drop();
  });

  async function migrateAs(service: string, role: string, schema: string): Promise<void> {
    await database.pool.query(`ALTER ROLE ${role} PASSWORD '${PASSWORD}'`);
    const url = new URL(database.url);
    [url.username, url.password] = [role, PASSWORD];
    const dir = fileURLToPath(new URL(`../${service}/migrations`, import.meta.url));
    await migrate({ url: url.href, schema, dir });
    pools.set(
      role,
      makePool({ url: url.href, poolMax: 1 }, () => undefined),
    );
  }

  const ask = async (role: string, statement: string): Promise<unknown[]> => {
    const { rows } = await pools.get(role)!.query<Record<string, unknown>>(statement);
    return rows;
  };

  for (const { service, role, schemas } of OWNERS) {
    it(`can migrate the tables of ${service} and owns them`, async () => {
      const owned = `SELECT DISTINCT schemaname FROM pg_tables WHERE tableowner = '${role}' ORDER BY schemaname`;
      expect(await ask(role, owned)).to.deep.equal([...schemas].sort().map((schemaname) => ({ schemaname })));
    });

    it(`cannot see the tables of others: ${role}`, async () => {
      const foreign = OWNERS.filter((owner) => owner.role !== role).map(({ schemas: [schema] }) => schema);
      for (const schema of foreign) {
        const outcome = await ask(role, `SELECT * FROM ${schema}.migrations`).catch(String);
        expect(outcome).to.contain(`permission denied for schema ${schema}`);
      }
    });
  }

  it('is found and given its rights again for the database of another environment', async () => {
    await database.pool.query(ROLES);
    expect(await ask('placard_events', 'SELECT count(*)::int AS n FROM events.migrations')).to.have.length(1);
  });

  it('lets the settlement worker make and drop the days of events', async () => {
    await ask('placard_events', `SELECT events.ensure_partition('2026-01-31')`);
    await ask('placard_events', 'DROP TABLE events.event_20260131');
  });
});
