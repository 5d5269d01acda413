-- The currency of all amounts of the installation. It may change until the first booking.
CREATE TABLE accounts.currency (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- ISO 4217. Null until a console-service starts that has the setting.
  code text CHECK (code ~ '^[A-Z]{3}$'),
  is_fixed boolean NOT NULL
);

INSERT INTO accounts.currency (is_fixed)
SELECT EXISTS (SELECT FROM accounts.deposits) OR EXISTS (SELECT FROM accounts.adjustments);

-- In the database and not in the service: the bookings of every release count.
CREATE FUNCTION accounts.fix_currency() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts.currency SET is_fixed = true WHERE NOT is_fixed AND EXISTS (SELECT FROM added);
  RETURN NULL;
END $$;

CREATE TRIGGER deposits_fix_the_currency AFTER INSERT ON accounts.deposits
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION accounts.fix_currency();
CREATE TRIGGER adjustments_fix_the_currency AFTER INSERT ON accounts.adjustments
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION accounts.fix_currency();
