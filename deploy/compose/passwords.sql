-- Run by psql after deploy/roles.sql: sets the password of each owner of tables, from the environment.
\getenv events_password EVENTS_DATABASE_PASSWORD
\getenv fraud_password FRAUD_DATABASE_PASSWORD
\getenv console_password CONSOLE_DATABASE_PASSWORD
ALTER ROLE placard_events PASSWORD :'events_password';
ALTER ROLE placard_fraud PASSWORD :'fraud_password';
ALTER ROLE placard_console PASSWORD :'console_password';
