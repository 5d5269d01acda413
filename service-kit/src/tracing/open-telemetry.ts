import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Link,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, toAppError, type ErrorCode } from '../process/errors.js';
import { REQUEST_ID, type Step, type StepAttributes, type StepOptions, type Tracing } from './tracing.js';

/** The receiver of traces and the sampling. */
export interface OpenTelemetryOptions {
  /** Name of the process. */
  readonly name: string;
  /** Base URL of an OTLP/HTTP receiver; spans go to `<endpoint>/v1/traces`. */
  readonly endpoint: string;
  /** Share of the requests that are traced, from 0 to 1. */
  readonly ratio: number;
  /** Called with the reason when spans were lost. */
  readonly onFailure: (reason: string) => void;
}

/** Longest time for one batch, in milliseconds. The last batch delays the end of the process by at most this. */
const EXPORT_MS_MAX = 2_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;
const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
/** Error codes that are faults of the product. All others are faults of the caller. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(['server_error', 'unavailable', 'deadline_exceeded']);

/**
 * Sends spans to an OTLP receiver in the background. While the receiver is unavailable they are dropped, and no caller
 * waits. The attributes of `OTEL_RESOURCE_ATTRIBUTES` are sent as well, but cannot change the name of the process.
 */
export function openTelemetry(options: OpenTelemetryOptions): { tracing: Tracing; close(): Promise<void> } {
  diag.setLogger(
    {
      ...silent(),
      error: (...reason: unknown[]) => options.onFailure(reason.map(String).join(' ').slice(0, 200)),
    },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_MS_MAX,
  });
  const provider = new BasicTracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({
        'service.namespace': 'placard',
        'service.name': options.name,
        'service.instance.id': `${hostname()}:${process.pid}`,
      }),
    ),
    sampler: new TraceIdRatioBasedSampler(options.ratio),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  return {
    tracing: new OpenTelemetryTracing(provider),
    close: async () => {
      const closing = provider.shutdown().catch((error: unknown) => options.onFailure(messageOf(error)));
      await Promise.race([closing, sleep(EXPORT_MS_MAX, undefined, { ref: false })]);
    },
  };
}

function silent() {
  const nothing = (): void => undefined;
  return { error: nothing, warn: nothing, info: nothing, debug: nothing, verbose: nothing };
}

/** A running step, and the id of its request if that is known. */
interface Running {
  readonly span: Span;
  readonly requestId: StepAttributes[string] | undefined;
}

const UNTRACED: Step = { rename: () => undefined, set: () => undefined };

class OpenTelemetryTracing implements Tracing {
  readonly #running = new AsyncLocalStorage<Running>();
  readonly #tracer;

  constructor(provider: BasicTracerProvider) {
    this.#tracer = provider.getTracer('placard');
  }

  begin<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T> {
    return this.#run(name, options, null, work);
  }

  resume<T>(
    traceparent: string | null,
    name: string,
    options: StepOptions,
    work: (step: Step) => Promise<T>,
  ): Promise<T> {
    const parent = contextOf(traceparent);
    return parent === null ? work(UNTRACED) : this.#run(name, options, parent, work);
  }

  step<T>(name: string, options: StepOptions, work: (step: Step) => Promise<T>): Promise<T> {
    const running = this.#current();
    if (running === null) return work(UNTRACED);
    const { span, requestId } = running;
    const own = requestId === undefined ? {} : { [REQUEST_ID]: requestId };
    const attributes = { ...own, ...options.attributes };
    return this.#run(name, { ...options, attributes }, span.spanContext(), work);
  }

  note(attributes: StepAttributes, link: string | null): void {
    const span = this.#current()?.span;
    if (span === undefined) return;
    span.setAttributes(attributes);
    const context = contextOf(link);
    if (context !== null) span.addLink({ context });
  }

  traceparent(): string | null {
    const span = this.#current()?.span;
    if (span === undefined) return null;
    const { traceId, spanId } = span.spanContext();
    return `00-${traceId}-${spanId}-01`;
  }

  logFields(): Readonly<Record<string, string>> {
    const span = this.#current()?.span;
    if (span === undefined) return {};
    const { traceId, spanId } = span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  /** The running span. Work that outlives its step, such as a timer, does not belong to it. */
  #current(): Running | null {
    const running = this.#running.getStore();
    return running?.span.isRecording() === true ? running : null;
  }

  async #run<T>(
    name: string,
    { kind = 'internal', attributes = {}, links = [] }: StepOptions,
    parent: SpanContext | null,
    work: (step: Step) => Promise<T>,
  ): Promise<T> {
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const spanLinks = links.map(contextOf).flatMap((linked): Link[] => (linked ? [{ context: linked }] : []));
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, links: spanLinks }, context);
    const step: Step = {
      rename: (better) => void span.updateName(better),
      set: (more) => void span.setAttributes(more),
    };
    try {
      return await this.#running.run({ span, requestId: attributes[REQUEST_ID] }, () => work(step));
    } catch (error) {
      const { code } = toAppError(error);
      span.setAttribute('error.type', code);
      if (FAULTS.has(code)) span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}

function contextOf(traceparent: string | null): SpanContext | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
