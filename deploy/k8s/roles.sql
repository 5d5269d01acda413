-- Run by a superuser in the database that Placard shall have, before the first migration; once more in the database of every further
-- environment on the same server, where the roles are there already. Each owner of tables gets a role of its own, which owns its
-- schemas and sees nobody else's. Passwords are set apart, such as by psql's \password.
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
