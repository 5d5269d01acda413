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
export type StepAttributes = Readonly<Record<string, string | number | string[]>>;

/** The attribute with the id of the HTTP request that a step belongs to. */
export const REQUEST_ID = 'placard.request_id';
/** The attribute with the request id of the ad that a step is about. */
export const AD_REQUEST_ID = 'placard.ad_request_id';
/** The same for a step that is about several ads. */
export const AD_REQUEST_IDS = 'placard.ad_request_ids';

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
  /**
   * Records a step inside the running one. It has the {@link REQUEST_ID} of that. Outside of a step the work runs untraced.
   */
  step<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T>;
  /** Adds attributes to the running step, and a link to another trace (null: none). Nothing happens outside of a step. */
  note(attributes: StepAttributes, link: string | null): void;
  /** W3C `traceparent` of the running step. Null outside of a step. */
  traceparent(): string | null;
  /** Fields of a log line for the running step: `trace_id` and `span_id`, or none. */
  logFields(): Readonly<Record<string, string>>;
}

/** A request that a step serves together with others. */
export interface ServedRequest {
  /** Null: the request is not traced. */
  readonly traceparent: string | null;
  /** The ad that the request is about. Null or missing: none that the step needs to name. */
  readonly adRequestId?: string | null;
}

/** Most ids in one attribute. OpenTelemetry limits the links of a step to the same number. */
const IDS_MAX = 128;

/**
 * Runs work that serves several requests at once as a step of the first traced request, with links to the others and the
 * ids of their ads. Without tracing, or when no request is traced, the work runs untraced.
 */
export function servingAll<T>(
  tracing: Tracing | null,
  requests: readonly ServedRequest[],
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work();
  const traced = requests.filter(({ traceparent }) => traceparent !== null);
  const [first = null, ...links] = traced.map(({ traceparent }) => traceparent ?? '');
  const ids = traced.flatMap(({ adRequestId }) => adRequestId ?? []).slice(0, IDS_MAX);
  const named = ids.length === 0 ? {} : { [AD_REQUEST_IDS]: ids };
  const attributes = { 'placard.items': requests.length, ...named };
  return tracing.resume(first, name, { links, attributes }, work);
}
