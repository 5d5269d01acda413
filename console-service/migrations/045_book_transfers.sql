-- Payouts to publishers and refunds to advertisers that operators asked for. Kind and reference make one idempotent.
CREATE TABLE accounts.transfers (
  kind text NOT NULL CHECK (kind IN ('payout', 'refund')),
  reference text NOT NULL,
  -- Of the publisher that is paid, or of the advertiser that gets money back.
  account_id text NOT NULL,
  -- Nano-units of the account currency.
  amount_nanos bigint NOT NULL CHECK (amount_nanos > 0),
  -- Who asked for it, for the audit.
  actor text NOT NULL,
  made_at timestamptz NOT NULL,
  -- Null until the ledger has it.
  booked_at timestamptz,
  -- Set when the ledger does not take it. Then its reference is free again.
  refused_at timestamptz,
  -- Why the ledger does not take it.
  refusal text,
  PRIMARY KEY (kind, reference),
  CHECK (booked_at IS NULL OR refused_at IS NULL),
  CHECK ((refused_at IS NULL) = (refusal IS NULL))
);

CREATE INDEX transfers_unbooked ON accounts.transfers (kind, made_at, reference)
  WHERE booked_at IS NULL AND refused_at IS NULL;

-- The words are those of the code that writes the audit. A list here would have to change with each new one.
ALTER TABLE audit.changes DROP CONSTRAINT changes_action_check;
ALTER TABLE audit.changes ADD CONSTRAINT changes_action_check CHECK (action ~ '^[a-z_]+$') NOT VALID;
