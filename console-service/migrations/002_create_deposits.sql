-- What advertisers have paid in. The reference makes a deposit idempotent; `opening:<advertiser id>` is the opening balance.
CREATE SCHEMA IF NOT EXISTS accounts;

CREATE TABLE accounts.deposits (
  reference text PRIMARY KEY,
  advertiser_id text NOT NULL,
  -- Nano-units of the account currency.
  amount_nanos bigint NOT NULL CHECK (amount_nanos > 0),
  made_at timestamptz NOT NULL,
  -- Null until the ledger has it.
  booked_at timestamptz
);

CREATE INDEX deposits_advertiser ON accounts.deposits (advertiser_id);
CREATE INDEX deposits_unbooked ON accounts.deposits (made_at, reference) WHERE booked_at IS NULL;
