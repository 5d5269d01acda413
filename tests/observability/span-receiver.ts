import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received span. */
export interface ReceivedSpan {
  /** Name of the process. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the root of the trace. */
  readonly parentId: string;
  /** An array is shown as its values with commas. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Ids of the traces that the span links to. */
  readonly links: readonly string[];
}

/** A receiver of OTLP/HTTP with JSON, like a collector. */
export interface SpanReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  close(): void;
}

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: string | number;
    readonly arrayValue?: { readonly values: readonly { readonly stringValue?: string }[] };
  };
}

interface Message {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
        readonly links?: readonly { readonly traceId: string }[];
      }[];
    }[];
  }[];
}

/** Opens a receiver on a free port of the loopback. */
export async function openSpanReceiver(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces')
        spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as Message));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, close };
}

function spansOf({ resourceSpans }: Message): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = textsOf(resource.attributes)['service.name'] ?? '';
    return scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId = '', attributes, links = [] }) => ({
        service,
        name,
        traceId,
        spanId,
        parentId: parentSpanId,
        attributes: textsOf(attributes),
        links: links.map((link) => link.traceId),
      })),
    );
  });
}

function textsOf(attributes: readonly Attribute[]): Readonly<Record<string, string>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, textOf(value)]));
}

function textOf({ stringValue, intValue, arrayValue }: Attribute['value']): string {
  if (arrayValue !== undefined) return arrayValue.values.map((each) => each.stringValue).join(',');
  return stringValue ?? String(intValue);
}
