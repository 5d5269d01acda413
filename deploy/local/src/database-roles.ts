import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { passwordOf, type Secrets } from './settings/secrets.js';

/** Services that own tables, and their roles. `deploy/roles.sql` defines what a role owns. */
export const databaseRoles = {
  'events-service': 'placard_events',
  'fraud-service': 'placard_fraud',
  'console-service': 'placard_console',
} as const;

/** A service that owns tables. */
export type TableOwner = keyof typeof databaseRoles;

/** Database URL of each owner of tables, with its own role. */
export type DatabaseUrls = Readonly<Record<TableOwner, string>>;

/** The same URL for all owners, for a database that the operator names. */
export function sameForAll(url: string): DatabaseUrls {
  return { 'events-service': url, 'fraud-service': url, 'console-service': url };
}

/**
 * Makes the roles of the built-in database, with their objects and the passwords of the data folder. Only this function uses
 * `superuserUrl`. It runs at every start, because the data folder may be from a release with a single role.
 */
export async function openDatabaseRoles(
  superuserUrl: string,
  secrets: Secrets,
  rootDir: string,
): Promise<DatabaseUrls> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(readFileSync(path.join(rootDir, 'deploy', 'roles.sql'), 'utf8'));
    for (const role of Object.values(databaseRoles)) {
      const password = client.escapeLiteral(passwordOf(secrets, role));
      await client.query(`ALTER ROLE ${role} PASSWORD ${password}`);
    }
  } finally {
    await client.end();
  }
  const urlOf = (owner: TableOwner): string => {
    const url = new URL(superuserUrl);
    const role = databaseRoles[owner];
    [url.username, url.password] = [role, passwordOf(secrets, role)];
    return url.href;
  };
  return {
    'events-service': urlOf('events-service'),
    'fraud-service': urlOf('fraud-service'),
    'console-service': urlOf('console-service'),
  };
}
