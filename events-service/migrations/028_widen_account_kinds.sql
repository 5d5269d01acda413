-- The account `payouts` is the other side of payouts and refunds. The rows of before hold the narrower check.
ALTER TABLE ledger.entry DROP CONSTRAINT entry_account_kind_check;
ALTER TABLE ledger.entry ADD CONSTRAINT entry_account_kind_check
  CHECK (account_kind IN ('advertiser', 'publisher', 'platform', 'deposits', 'payouts')) NOT VALID;
