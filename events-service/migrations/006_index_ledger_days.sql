-- The books are written in the order of days, so that a summary of each stretch of pages finds a day's rows, at next to no
-- cost for each booking.
CREATE INDEX entry_day ON ledger.entry USING brin (day) WITH (autosummarize = on);
CREATE INDEX transaction_day ON ledger.transaction USING brin (day, event_day) WITH (autosummarize = on);

-- What statements show singly: few rows among many.
CREATE INDEX entry_single ON ledger.entry (account_kind, account_id, day) WHERE kind <> 'impression';
