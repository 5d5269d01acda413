import { hourOf, INTEGRATION_ERRORS, type IntegrationError } from '@placard/service-kit/pure';

/** Errors of one hour and app key. */
export interface ErrorCount {
  /** Hours since 1970. */
  readonly hour: number;
  /** Empty: the request named no app key, or too many kinds were counted. */
  readonly appKey: string;
  readonly error: IntegrationError;
  readonly count: number;
}

/** Most different counts between two reports. Further ones count without an app, which adds a few at most. */
export const ERROR_KINDS_MAX = 5_000;

const APP_KEY = /^app_[A-Za-z0-9]{24}$/;
const ERRORS: ReadonlySet<string> = new Set(INTEGRATION_ERRORS);

/** Counts answered errors between two reports. Contract: docs/contract/reports.md#errors. */
export class ErrorCounts {
  #counts = new Map<string, ErrorCount>();

  /**
   * Counts one answer. Does nothing for one that is no integration error. `appKey`: as the client sent it, of any form or
   * type.
   */
  add(answer: { readonly status: number; readonly code: string }, appKey: unknown, atMs: number): void {
    const error = `${answer.status}.${answer.code}`;
    if (!isIntegrationError(error)) return;
    const named = { hour: hourOf(atMs), appKey: isAppKey(appKey) ? appKey : '', error, count: 1 };
    const isBounded = this.#counts.size < ERROR_KINDS_MAX || this.#counts.has(nameOf(named));
    const one = isBounded ? named : { ...named, appKey: '' };
    const known = this.#counts.get(nameOf(one));
    this.#counts.set(nameOf(one), { ...one, count: (known?.count ?? 0) + 1 });
  }

  /** The counts since the last call. */
  take(): readonly ErrorCount[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }
}

function nameOf({ hour, appKey, error }: ErrorCount): string {
  return `${hour}|${appKey}|${error}`;
}

function isAppKey(appKey: unknown): appKey is string {
  return typeof appKey === 'string' && APP_KEY.test(appKey);
}

function isIntegrationError(error: string): error is IntegrationError {
  return ERRORS.has(error);
}
