-- Run once by a superuser, in the database that Placard shall have, before the first migration. Each owner of tables gets
-- a role of its own, which owns its schemas and sees nobody else's. Passwords are set apart, such as by psql's \password.
CREATE ROLE placard_events LOGIN;
CREATE ROLE placard_fraud LOGIN;
CREATE ROLE placard_console LOGIN;

DO $$
BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO placard_events, placard_fraud, placard_console', current_database());
END
$$;
