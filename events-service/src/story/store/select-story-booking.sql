-- The entries of the booking of an impression. No row: it is not booked.
-- $1 request_id text
SELECT booking.booked_at, entry.account_kind, entry.account_id, entry.amount_nanos
FROM ledger.transaction AS booking
JOIN ledger.entry ON entry.kind = booking.kind AND entry.transaction_id = booking.id
WHERE booking.kind = 'impression' AND booking.id = $1
ORDER BY array_position(ARRAY['advertiser', 'publisher', 'platform'], entry.account_kind)
