-- Closed months: nothing is booked into them any more, and each has the statements of all accounts.
CREATE TABLE ledger.closed_month (
  -- The first day of the month. Months are closed in their order, without a gap.
  month date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  closed_at timestamptz NOT NULL,
  -- A publisher is on the list of payouts from this amount on.
  minimum_payout_nanos int8 NOT NULL CHECK (minimum_payout_nanos >= 0)
);

-- The figures of a statement. Its lines are those of the ledger, which is never changed.
CREATE TABLE ledger.statement (
  -- Counts from 1 without a gap over all months of the installation.
  number int8 PRIMARY KEY,
  month date NOT NULL,
  account_kind text NOT NULL,
  account_id text NOT NULL,
  opening_nanos numeric(38, 0) NOT NULL,
  impressions_nanos numeric(38, 0) NOT NULL,
  deposits_nanos numeric(38, 0) NOT NULL,
  adjustments_nanos numeric(38, 0) NOT NULL,
  payouts_nanos numeric(38, 0) NOT NULL,
  refunds_nanos numeric(38, 0) NOT NULL,
  closing_nanos numeric(38, 0) NOT NULL,
  -- What could be paid to a publisher when the month was closed; NULL for other kinds.
  due_nanos numeric(38, 0),
  -- Payouts to a publisher between the end of the month and its close, which are not due any more; NULL for other kinds.
  paid_early_nanos numeric(38, 0),
  UNIQUE (month, account_kind, account_id),
  CHECK (
    closing_nanos
    = opening_nanos + impressions_nanos + deposits_nanos + adjustments_nanos + payouts_nanos + refunds_nanos
  )
);

CREATE TRIGGER closed_month_is_immutable BEFORE UPDATE OR DELETE ON ledger.closed_month
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER closed_month_is_kept BEFORE TRUNCATE ON ledger.closed_month
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER statement_is_immutable BEFORE UPDATE OR DELETE ON ledger.statement
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER statement_is_kept BEFORE TRUNCATE ON ledger.statement
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
REVOKE UPDATE, DELETE, TRUNCATE ON ledger.closed_month, ledger.statement FROM CURRENT_USER;

-- The first open day; NULL while no month is closed. What happened earlier is booked on this day.
CREATE FUNCTION ledger.first_open_day() RETURNS date LANGUAGE sql STABLE
  RETURN (SELECT (max(month) + interval '1 month')::date FROM ledger.closed_month);

-- A close waits for bookings under way, and bookings wait for a close. The lock is the last of a booking, and a close takes no
-- other, so they cannot block each other. In the database and not in the service's statement: it holds for every release.
CREATE FUNCTION ledger.guard_closed_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('ledger'), hashtext('close of a month'));
  IF EXISTS (SELECT FROM added WHERE day < ledger.first_open_day()) THEN
    RAISE EXCEPTION 'a month was closed while a booking into it was under way'
      USING ERRCODE = 'serialization_failure', HINT = 'Book it again: it gets the first open day.';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER closed_months_are_guarded AFTER INSERT ON ledger.transaction
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.guard_closed_months();
