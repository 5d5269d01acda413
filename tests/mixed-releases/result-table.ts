const NAME_WIDTH = 20;
const CELL_WIDTH = 24;

/** The direction of a mix: which release stands alone among processes of the other. */
export type Column = 'older' | 'newer';

/** Results of a pair of releases, by what was mixed. */
export class ResultTable {
  readonly #rows = new Map<string, Map<Column, string>>();

  /** `older` and `newer`: the names of the two releases. */
  constructor(
    readonly older: string,
    readonly newer: string,
  ) {}

  /** Runs a test and notes its result; a thrown error stays one. */
  async note(row: string, column: Column, test: () => Promise<void>): Promise<void> {
    const cells = this.#rows.get(row) ?? new Map<Column, string>();
    this.#rows.set(row, cells.set(column, 'FAILED'));
    await test();
    cells.set(column, 'ok');
  }

  /** The table, one line for each row. */
  lines(): readonly string[] {
    const line = (name: string, older: string, newer: string): string =>
      `    ${name.padEnd(NAME_WIDTH)}${older.padEnd(CELL_WIDTH)}${newer}`;
    const rows = [...this.#rows].map(([name, cells]) =>
      line(name, cells.get('older') ?? '-', cells.get('newer') ?? '-'),
    );
    return [line('', `${this.older} among ${this.newer}`, `${this.newer} among ${this.older}`), ...rows];
  }
}
