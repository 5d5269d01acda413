-- A superuser runs this in Placard's database before the migrations of each release, and in the database of every further
-- environment on the same server, where the roles exist already. Each owner of tables gets its own role, which owns its schemas
-- and cannot see others. Set passwords separately, for example with psql's \password. `npm start` and Compose run it at every
-- start. Running it again changes nothing.
DO $$
DECLARE
  owner text;
BEGIN
  FOREACH owner IN ARRAY ARRAY['placard_events', 'placard_fraud', 'placard_console'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = owner) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', owner);
    END IF;
  END LOOP;
END
$$;

DO $$
BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO placard_events, placard_fraud, placard_console', current_database());
END
$$;

-- Gives each owner the objects that another role has made in its schemas, as in releases with a single role. Objects of a
-- column, such as its sequence, change the owner with their table.
DO $$
DECLARE
  owner record;
  command text;
BEGIN
  FOR owner IN
    SELECT role::regrole AS role, schemas FROM (VALUES
      ('placard_events', ARRAY['events', 'ledger', 'stats', 'budget']),
      ('placard_fraud', ARRAY['fraud']),
      ('placard_console', ARRAY['catalog', 'accounts', 'audit', 'access', 'manage', 'health', 'rewards'])
    ) AS owners (role, schemas)
  LOOP
    FOR command IN
      SELECT format('ALTER SCHEMA %I OWNER TO %s', nspname, owner.role)
        FROM pg_namespace WHERE nspname = ANY (owner.schemas) AND nspowner <> owner.role
      UNION ALL
      SELECT format('ALTER TABLE %s OWNER TO %s', relation.oid::regclass, owner.role)
        FROM pg_class AS relation JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = ANY (owner.schemas) AND relowner <> owner.role AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = relation.oid AND relkind = 'S' AND deptype IN ('a', 'i')
          )
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO %s', routine.oid::regprocedure, owner.role)
        FROM pg_proc AS routine JOIN pg_namespace ON pg_namespace.oid = pronamespace
        WHERE nspname = ANY (owner.schemas) AND proowner <> owner.role
      UNION ALL
      SELECT format('ALTER TYPE %s OWNER TO %s', type.oid::regtype, owner.role)
        FROM pg_type AS type JOIN pg_namespace ON pg_namespace.oid = typnamespace
        WHERE nspname = ANY (owner.schemas) AND typowner <> owner.role AND typtype IN ('d', 'e', 'r')
    LOOP
      EXECUTE command;
    END LOOP;
  END LOOP;
END
$$;
