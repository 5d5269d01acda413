-- Refunds in sum. They are a part of closed_nanos: a grant of any release counts refunded money as spent.
ALTER TABLE budget.advertiser ADD COLUMN refunded_nanos numeric(38, 0) NOT NULL DEFAULT 0;
