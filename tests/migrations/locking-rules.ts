import type { AlterTableCmd, ColumnDef, Constraint, Node } from 'libpg-query';
import {
  alterations,
  constraintOf,
  namesOf,
  tableName,
  type ParsedMigration,
  type Statement,
} from './parsed-migration.js';
import { LARGE_TABLES } from './tables.js';

/** What is wrong with a statement, one sentence each. */
export type LockingRule = (statement: Statement, migration: ParsedMigration) => readonly string[];

const SERIAL = /^(small|big)?serial\d?$/;
const REWRITING: ReadonlySet<string> = new Set([
  'AT_AlterColumnType',
  'AT_SetLogged',
  'AT_SetUnLogged',
  'AT_SetTableSpace',
  'AT_SetAccessMethod',
]);

/** Whether others use the table and it is large, so that nothing may scan it under a lock. */
const isLarge = (table: string, { created }: ParsedMigration): boolean =>
  !created.has(table) && [...LARGE_TABLES].some((large) => table === large || table.startsWith(`${large}_2`));

/** An index is built CONCURRENTLY, can be repeated and has a file of its own. */
const indexRule: LockingRule = ({ node }, migration) => {
  if (!('IndexStmt' in node)) return [];
  const { relation, concurrent = false, if_not_exists: isRepeatable = false, idxname } = node.IndexStmt;
  const table = tableName(relation);
  if (!concurrent) {
    if (!isLarge(table, migration)) return [];
    return [
      `builds ${idxname ?? 'an index'} while nobody can write ${table}: use CONCURRENTLY IF NOT EXISTS`,
    ];
  }
  if (isRepeatable && migration.statements.length === 1) return [];
  return ['an index that is built CONCURRENTLY has IF NOT EXISTS and a file of its own'];
};

/** Locks, scans and rewrites that no migration needs. */
const statementRule: LockingRule = ({ kind, node }, migration) => {
  const changed = 'UpdateStmt' in node ? node.UpdateStmt : 'DeleteStmt' in node ? node.DeleteStmt : null;
  const table = tableName(changed?.relation);
  if (changed !== null && isLarge(table, migration))
    return [`changes many rows of ${table} in one transaction: let the service do it in small steps`];
  switch (kind) {
    case 'LockStmt':
      return ['LOCK TABLE stops everybody who uses the table'];
    case 'TruncateStmt':
      return ['TRUNCATE stops everybody who uses the table, and the previous release still needs its rows'];
    case 'VacuumStmt':
    case 'ClusterStmt':
    case 'ReindexStmt':
      return ['rewriting a table or an index is an operator’s work, with CONCURRENTLY, and no migration'];
    case 'DoStmt':
      return ['a DO block hides its statements from these rules: write them as statements'];
    default:
      return [];
  }
};

/** What may be added to or changed on a table that is in use. */
const alterRule: LockingRule = (statement, migration) =>
  alterations(statement).flatMap(({ table, part }) => {
    if (migration.created.has(table)) return [];
    const faults = part.subtype === 'AT_AddColumn' ? newColumnFaults(table, part) : [];
    if (!isLarge(table, migration)) return faults;
    if (REWRITING.has(part.subtype ?? ''))
      faults.push(`rewrites ${table}: add a new column and fill it by the service`);
    const constraint = constraintOf(part);
    if (part.subtype === 'AT_AddConstraint' && constraint !== null)
      faults.push(...constraintFaults(table, constraint));
    if (part.subtype === 'AT_ValidateConstraint' && migration.statements.length > 1)
      faults.push(
        `scans ${table} in a transaction that holds other locks: VALIDATE CONSTRAINT has a file of its own`,
      );
    return faults;
  });

function newColumnFaults(table: string, { def }: AlterTableCmd): string[] {
  if (def === undefined || !('ColumnDef' in def)) return [];
  const column: ColumnDef = def.ColumnDef;
  const name = `${table}.${column.colname ?? ''}`;
  const constraints = (column.constraints ?? []).flatMap((node) =>
    'Constraint' in node ? [node.Constraint] : [],
  );
  const has = (type: Constraint['contype']): boolean => constraints.some(({ contype }) => contype === type);
  const faults: string[] = [];
  if (has('CONSTR_NOTNULL') && !has('CONSTR_DEFAULT'))
    faults.push(`${name} is NOT NULL without a default: the previous release inserts without it`);
  const values = constraints.flatMap(({ contype, raw_expr: value }) =>
    contype === 'CONSTR_DEFAULT' ? [value] : [],
  );
  if (!values.every(isQuickDefault) || has('CONSTR_GENERATED') || has('CONSTR_IDENTITY') || isSerial(column))
    faults.push(`${name} gets a value by row, which rewrites ${table}: use a constant default`);
  if (has('CONSTR_CHECK') || has('CONSTR_FOREIGN') || has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY'))
    faults.push(`the constraint of ${name} scans ${table} under a lock: add it in a later file, NOT VALID`);
  return faults;
}

function isSerial({ typeName }: ColumnDef): boolean {
  return namesOf(typeName?.names).some((name) => SERIAL.test(name));
}

/** Whether Postgres stores the default once instead of writing each row: a constant, or the time of the migration. */
function isQuickDefault(value: Node | undefined): boolean {
  if (value === undefined) return true;
  if ('TypeCast' in value) return isQuickDefault(value.TypeCast.arg);
  if ('FuncCall' in value) return namesOf(value.FuncCall.funcname).at(-1) === 'now';
  return 'A_Const' in value || 'SQLValueFunction' in value;
}

function constraintFaults(table: string, constraint: Constraint): readonly string[] {
  switch (constraint.contype) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
      if (constraint.skip_validation === true) return [];
      return [
        `scans ${table} under a lock: add ${constraint.conname ?? 'it'} NOT VALID, and validate it in a later file`,
      ];
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
    case 'CONSTR_EXCLUSION':
      if (constraint.indexname !== undefined) return [];
      return [
        `builds an index of ${table} under a lock: build it CONCURRENTLY, then ADD CONSTRAINT … USING INDEX`,
      ];
    default:
      return [];
  }
}

/** The rules for one statement. */
export const LOCKING_RULES: readonly LockingRule[] = [indexRule, statementRule, alterRule];

/** A migration locks one large table, because it keeps the first lock while it waits for the second. */
export function lockedTablesFaults(migration: ParsedMigration): readonly string[] {
  const locked = migration.statements.flatMap((statement) => [
    ...alterations(statement).map(({ table }) => table),
    ...('CreateTrigStmt' in statement.node ? [tableName(statement.node.CreateTrigStmt.relation)] : []),
  ]);
  const large = [...new Set(locked)].filter((table) => isLarge(table, migration));
  return large.length > 1 ? [`locks ${large.join(' and ')} together: give each a file of its own`] : [];
}
