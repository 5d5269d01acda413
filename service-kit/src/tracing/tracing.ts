/** Options of a step. The kinds are those of OpenTelemetry. */
export interface StepOptions {
  /** Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** They must not hold a token, an address, a body or an amount. */
  readonly attributes?: StepAttributes;
  /** `traceparent`s of other requests that this step serves as well. */
  readonly links?: readonly string[];
}

/** Attributes of a step, by OpenTelemetry's names where they exist. */
export type StepAttributes = Readonly<Record<string, string | number>>;

/** A running step. */
export interface Step {
  rename(name: string): void;
  set(attributes: StepAttributes): void;
}

/**
 * Records steps of requests as OpenTelemetry spans. A step that fails with a fault of the product is marked as an
 * error. Every failed step has the code of its error. All methods return the result of the work and add no failures.
 */
export interface Tracing {
  /** Begins a trace. If the sampling skips it, the work runs untraced. */
  begin<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T>;
  /** Continues a trace of another process or of an earlier time. Null: the work runs untraced. */
  resume<T>(
    traceparent: string | null,
    name: string,
    options: StepOptions,
    work: (step: Step) => Promise<T>,
  ): Promise<T>;
  /** Records a step inside the running one. Outside of a step the work runs untraced. */
  step<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T>;
  /** W3C `traceparent` of the running step. Null outside of a step. */
  traceparent(): string | null;
  /** Fields of a log line for the running step: `trace_id` and `span_id`, or none. */
  logFields(): Readonly<Record<string, string>>;
}

/**
 * Runs work that serves several requests at once as a step of the first traced request, with links to the others.
 * Without tracing, or when no request is traced, the work runs untraced.
 */
export function servingAll<T>(
  tracing: Tracing | null,
  traceparents: readonly (string | null)[],
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work();
  const [first = null, ...links] = traceparents.filter((traceparent) => traceparent !== null);
  return tracing.resume(first, name, { links, attributes: { 'placard.items': traceparents.length } }, work);
}
