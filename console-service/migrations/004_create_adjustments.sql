-- Corrections that operators have made to accounts. The reference makes an adjustment idempotent.
CREATE TABLE accounts.adjustments (
  reference text PRIMARY KEY,
  account_kind text NOT NULL CHECK (account_kind IN ('advertiser', 'publisher')),
  account_id text NOT NULL,
  -- Nano-units of the account currency; above zero: the account has more.
  amount_nanos bigint NOT NULL CHECK (amount_nanos <> 0),
  reason text NOT NULL,
  made_at timestamptz NOT NULL,
  -- Null until the ledger has it.
  booked_at timestamptz
);

CREATE INDEX adjustments_account ON accounts.adjustments (account_kind, account_id);
CREATE INDEX adjustments_unbooked ON accounts.adjustments (made_at, reference) WHERE booked_at IS NULL;

ALTER TABLE audit.changes DROP CONSTRAINT changes_action_check;
ALTER TABLE audit.changes ADD CONSTRAINT changes_action_check
  CHECK (action IN ('created', 'updated', 'removed', 'deposited', 'adjusted')) NOT VALID;
