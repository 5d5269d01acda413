/** Options of `npm start`. Paths are absolute; `catalog` is null when none was named. */
export interface StartOptions {
  readonly catalog: string | null;
  readonly dataDir: string;
  readonly port: number;
  readonly topology: { readonly replicas: number; readonly redisCluster: null };
}

/** Exactly one of the three is set. */
export interface ParsedArguments {
  readonly help?: true;
  readonly fault?: string;
  readonly options?: StartOptions;
}

/** Output of `npm start -- --help`. */
export declare const START_HELP: string;

/** Reads the arguments of `npm start`. */
export declare function parseStartArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  folders: { readonly root: string; readonly cwd: string },
): ParsedArguments;
