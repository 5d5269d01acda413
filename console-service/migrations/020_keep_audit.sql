-- The audit is only ever added to, as the ledger: by trigger, and by right for the role that writes it.
CREATE FUNCTION audit.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is never changed: % on %.% refused', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', HINT = 'Add a row that corrects it instead.';
END $$;

CREATE TRIGGER changes_are_immutable BEFORE UPDATE OR DELETE ON audit.changes
  FOR EACH ROW EXECUTE FUNCTION audit.refuse_change();
CREATE TRIGGER changes_are_kept BEFORE TRUNCATE ON audit.changes
  FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();

REVOKE UPDATE, DELETE, TRUNCATE ON audit.changes FROM CURRENT_USER;
