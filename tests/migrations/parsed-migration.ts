import { parseSync, type AlterTableCmd, type Constraint, type Node, type RangeVar } from 'libpg-query';

/** A statement of a migration, as Postgres parses it. */
export interface Statement {
  /** Kind of node, such as `AlterTableStmt`. */
  readonly kind: string;
  readonly node: Node;
  /** As written. */
  readonly text: string;
}

/** A migration file. */
export interface ParsedMigration {
  /** From the root of the repository. */
  readonly file: string;
  readonly statements: readonly Statement[];
  /** Tables that it creates itself, as `schema.name`: nobody uses them yet. */
  readonly created: ReadonlySet<string>;
}

/** Parses a migration with the parser of Postgres 17; throws its error for text that is no SQL. */
export function parseMigration(file: string, text: string): ParsedMigration {
  const bytes = Buffer.from(text);
  const { stmts = [] } = parseSync(text) as {
    readonly stmts?: readonly {
      readonly stmt: Node;
      readonly stmt_location?: number;
      readonly stmt_len?: number;
    }[];
  };
  const statements = stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length }) => ({
    kind: Object.keys(stmt)[0] ?? '',
    node: stmt,
    text: bytes.subarray(start, length === undefined ? undefined : start + length).toString(),
  }));
  const created = statements.flatMap(({ node }) =>
    'CreateStmt' in node ? [tableName(node.CreateStmt.relation)] : [],
  );
  return { file, statements, created: new Set(created) };
}

/** `schema.name` of a table; without a schema the name alone. */
export function tableName(table: RangeVar | undefined): string {
  return [table?.schemaname, table?.relname].filter((part) => part !== undefined).join('.');
}

/** The parts of an ALTER TABLE with their table; of nothing else. */
export function alterations({
  node,
}: Statement): readonly { readonly table: string; readonly part: AlterTableCmd }[] {
  if (!('AlterTableStmt' in node) || node.AlterTableStmt.objtype !== 'OBJECT_TABLE') return [];
  const table = tableName(node.AlterTableStmt.relation);
  return (node.AlterTableStmt.cmds ?? []).flatMap((command) =>
    'AlterTableCmd' in command ? [{ table, part: command.AlterTableCmd }] : [],
  );
}

/** The constraint that a part of an ALTER TABLE adds, or null. */
export function constraintOf({ def }: AlterTableCmd): Constraint | null {
  return def !== undefined && 'Constraint' in def ? def.Constraint : null;
}

/** The texts of a list of names, such as `schema` and `table`. */
export function namesOf(nodes: readonly Node[] = []): readonly string[] {
  return nodes.flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
}
