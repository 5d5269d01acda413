/** What a step of a request is; the kinds are OpenTelemetry's. */
export interface StepOptions {
  /** Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** No token, no address, no body, no amount. */
  readonly attributes?: StepAttributes;
  /** `traceparent`s of other requests that this step serves as well. */
  readonly links?: readonly string[];
}

/** Facts of a step, by OpenTelemetry's names where it has one. */
export type StepAttributes = Readonly<Record<string, string | number>>;

/** A step while it runs. */
export interface Step {
  rename(name: string): void;
  set(attributes: StepAttributes): void;
}

/**
 * Records steps of requests as OpenTelemetry spans. A step that fails with a fault of ours is marked as an error; every
 * step that fails names its error's code. All methods answer what the work answers and add no failure of their own.
 */
export interface Tracing {
  /** Begins a trace, unless the sampling passes it over: then the work runs untraced. */
  begin<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T>;
  /** Goes on with a trace of another process or of an earlier time; null: the work runs untraced. */
  resume<T>(
    traceparent: string | null,
    name: string,
    options: StepOptions,
    work: (step: Step) => Promise<T>,
  ): Promise<T>;
  /** A step within the one that runs; outside of any, the work runs untraced. */
  step<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T>;
  /** W3C `traceparent` of the step that runs; null outside of any. */
  traceparent(): string | null;
  /** What a line of the log says of the step that runs: `trace_id` and `span_id`, or nothing. */
  logFields(): Readonly<Record<string, string>>;
}

/**
 * Work that serves several requests at once is a step of the first traced one and links to the others. Without tracing,
 * or when none of them is traced, it simply runs.
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
