import type { Product } from '@placard/local';
import type pg from 'pg';
import type { AppEntry } from '../driver/catalog.js';
import type { Certificates } from '../driver/certificates.js';
import type { Phones } from './phones.js';
import type { Target } from './scrape.js';

/** An outage of a running product that is recorded. */
export interface Outage {
  /** The name of its recording. */
  readonly name: string;
  /** The outage in words. */
  readonly what: string;
  /** The processes have certificates and require TLS. Default: they have none. */
  readonly certified?: true;
  /** Makes the outage, and ends when it was there for long enough. The metrics are recorded meanwhile. */
  readonly happen: (stage: Stage) => Promise<void>;
  /** Brings everything back for the next outage. */
  readonly mend: (stage: Stage) => Promise<void>;
}

/** A running product in which outages happen, with phones that use it. */
export interface Stage {
  readonly product: Product;
  /** The certificates of the product; null without TLS. */
  readonly certificates: Certificates | null;
  readonly phones: Phones;
  /** An app whose ads the phones do not ask for. */
  readonly quietApp: AppEntry;
  /** Statements of the superuser. */
  readonly sql: pg.Pool;
  /** Runs the `placard` command; its standard error, or null when it succeeded. */
  placard(args: readonly string[], input?: CommandInput): Promise<string | null>;
  /** Stops a process of the product with its children, and lets it continue: `SIGSTOP`, `SIGCONT`. */
  signal(name: string, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills a process and starts it again. */
  relaunch(name: string): Promise<void>;
  /** Scrapes one more process. */
  watch(target: Target): void;
  /** Waits for that many scrapes of the metrics. */
  passes(scrapes: number): Promise<void>;
}

/** What a command has beside its arguments. */
export interface CommandInput {
  /** A value whose JSON file is one more argument. */
  readonly file: unknown;
}
