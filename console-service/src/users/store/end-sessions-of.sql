-- Ends all sessions of a user.
-- $1 text   id of the user
DELETE FROM access.sessions WHERE user_id = $1;
