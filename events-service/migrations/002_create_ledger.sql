-- The books: double entry, never changed. Amounts are nano-units; a positive amount adds to what the account has.
-- Sums are numeric, since many int8 amounts together may pass the range of int8.
CREATE SCHEMA ledger;

-- One booking. Its id is the request id of an impression or the reference of a deposit, so that booking the same thing
-- twice meets the primary key.
CREATE TABLE ledger.transaction (
  kind text NOT NULL CHECK (kind IN ('impression', 'deposit', 'adjustment')),
  id text NOT NULL,
  -- UTC day to which the booking counts: of the event, so that the books of a day equal the report of that day.
  day date NOT NULL,
  -- Partition of the impression's row in events.event; NULL for other kinds.
  event_day date,
  occurred_at timestamptz NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT now(),
  -- Why an adjustment was made; NULL for other kinds.
  reason text,
  PRIMARY KEY (kind, id),
  CHECK ((kind = 'impression') = (event_day IS NOT NULL)),
  CHECK ((kind = 'adjustment') = (reason IS NOT NULL))
);

-- The lines of a booking: they sum to zero. An impression has three (advertiser −, publisher +, platform +), a deposit
-- two (advertiser +, deposits −). No foreign key: both are written by one transaction and proved by the verification,
-- and a check per line would cost a third of the settlement's speed.
CREATE TABLE ledger.entry (
  kind text NOT NULL,
  transaction_id text NOT NULL,
  account_kind text NOT NULL CHECK (account_kind IN ('advertiser', 'publisher', 'platform', 'deposits')),
  account_id text NOT NULL,
  day date NOT NULL,
  amount_nanos int8 NOT NULL,
  PRIMARY KEY (transaction_id, kind, account_kind, account_id)
);

-- What each account has: changed in the transaction that writes the entries.
CREATE TABLE ledger.account (
  kind text NOT NULL,
  id text NOT NULL,
  balance_nanos numeric(38, 0) NOT NULL,
  PRIMARY KEY (kind, id)
);

-- Sums of entries per account, day and kind of booking: statements and quick verification. Changed with the balances.
CREATE TABLE ledger.account_day (
  account_kind text NOT NULL,
  account_id text NOT NULL,
  day date NOT NULL,
  transaction_kind text NOT NULL,
  sum_nanos numeric(38, 0) NOT NULL,
  entries int8 NOT NULL,
  PRIMARY KEY (account_kind, account_id, day, transaction_kind)
);

CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is never changed: % on %.% refused', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', HINT = 'Book a new entry instead.';
END $$;

CREATE TRIGGER transaction_is_immutable BEFORE UPDATE OR DELETE ON ledger.transaction
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER transaction_is_kept BEFORE TRUNCATE ON ledger.transaction
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER entry_is_immutable BEFORE UPDATE OR DELETE ON ledger.entry
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER entry_is_kept BEFORE TRUNCATE ON ledger.entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

-- Nano-units as a decimal text of the account currency, exactly, with nine decimals.
CREATE FUNCTION ledger.as_amount(nanos numeric) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN round(nanos * 0.000000001, 9)::text;
