import {
  alterations,
  constraintOf,
  namesOf,
  type ParsedMigration,
  type Statement,
} from './parsed-migration.js';
import { LARGE_TABLES } from './tables.js';

/** Where a release that may still run names a table or a column: a file, or null when nowhere. */
export type FindUse = (name: string) => string | null;

/** What a statement takes from the releases that may run on the migrated tables. */
export function takenFaults(statement: Statement, findUse: FindUse): readonly string[] {
  const { node } = statement;
  if ('RenameStmt' in node || 'AlterObjectSchemaStmt' in node)
    return [
      'the previous release uses the old name: add the new one, and drop the old one when no release uses it',
    ];
  const columns = alterations(statement).flatMap(({ part }) =>
    part.subtype === 'AT_DropColumn' ? [part.name ?? ''] : [],
  );
  return [...columns, ...droppedObjects(statement)].flatMap((name) => {
    const use = findUse(name);
    return use === null
      ? []
      : [`drops ${name}, which ${use} uses: drop it when the last two releases do not`];
  });
}

/** Last part of the names of dropped tables, views, functions and schemas. */
function droppedObjects({ node }: Statement): readonly string[] {
  if (!('DropStmt' in node)) return [];
  const { objects = [], removeType } = node.DropStmt;
  if (removeType === 'OBJECT_INDEX' || removeType === 'OBJECT_TRIGGER') return [];
  return objects.flatMap((object) => {
    if ('List' in object) return namesOf(object.List.items).slice(-1);
    if ('ObjectWithArgs' in object) return namesOf(object.ObjectWithArgs.objname).slice(-1);
    return namesOf([object]);
  });
}

/**
 * SET NOT NULL scans the table under a lock, unless a constraint `CHECK (column IS NOT NULL)` was validated by an earlier
 * file. `earlier`: the migrations of the folder before this one.
 */
export function notNullFaults(
  migration: ParsedMigration,
  earlier: readonly ParsedMigration[],
): readonly string[] {
  const validated = checkedColumns(earlier);
  return migration.statements.flatMap((statement) =>
    alterations(statement).flatMap(({ table, part }) => {
      if (part.subtype !== 'AT_SetNotNull' || migration.created.has(table) || !LARGE_TABLES.has(table))
        return [];
      const column = `${table}.${part.name ?? ''}`;
      if (validated.has(column)) return [];
      return [
        `SET NOT NULL scans ${table} under a lock: first validate CHECK (${part.name} IS NOT NULL) in a file before`,
      ];
    }),
  );
}

/** `schema.table.column` of each column whose check for NULL has been validated. */
function checkedColumns(migrations: readonly ParsedMigration[]): ReadonlySet<string> {
  const columnOf = new Map<string, string>();
  const validated = new Set<string>();
  for (const { table, part } of migrations.flatMap(({ statements }) => statements.flatMap(alterations))) {
    const constraint = constraintOf(part);
    const test = constraint?.raw_expr;
    if (test !== undefined && 'NullTest' in test && test.NullTest.nulltesttype === 'IS_NOT_NULL') {
      const { arg } = test.NullTest;
      const column =
        arg !== undefined && 'ColumnRef' in arg ? namesOf(arg.ColumnRef.fields).at(-1) : undefined;
      columnOf.set(`${table} ${constraint?.conname ?? ''}`, `${table}.${column ?? ''}`);
    }
    const column = columnOf.get(`${table} ${part.name ?? ''}`);
    if (part.subtype === 'AT_ValidateConstraint' && column !== undefined) validated.add(column);
  }
  return validated;
}

/** The text of each function as the last migration left it. */
export function functionTexts(migrations: readonly ParsedMigration[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { node, text } of migrations.flatMap(({ statements }) => statements)) {
    if ('CreateFunctionStmt' in node) texts.set(namesOf(node.CreateFunctionStmt.funcname).join('.'), text);
    if ('DropStmt' in node && node.DropStmt.removeType === 'OBJECT_FUNCTION')
      for (const object of node.DropStmt.objects ?? [])
        if ('ObjectWithArgs' in object) texts.delete(namesOf(object.ObjectWithArgs.objname).join('.'));
  }
  return texts;
}
