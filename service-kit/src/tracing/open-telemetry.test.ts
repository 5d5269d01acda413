import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appError } from '../process/errors.js';
import { openTelemetry } from './open-telemetry.js';
import { AD_REQUEST_ID, AD_REQUEST_IDS, REQUEST_ID, servingAll, type Tracing } from './tracing.js';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: {
      readonly stringValue?: string;
      readonly arrayValue?: { readonly values: readonly unknown[] };
    };
  }[];
  readonly links: readonly { readonly traceId: string }[];
  readonly status: { readonly code?: number };
}

interface Message {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

function valueOf(span: Span | undefined, wanted: string) {
  return span?.attributes.find(({ key }) => key === wanted)?.value;
}

const CALLER = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const OTHER = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
const ERROR = 2;

describe('openTelemetry', () => {
  let server: Server;
  let spans: Span[];
  let resource: Record<string, string | undefined>;
  let failures: string[];
  let port: number;

  beforeEach(async () => {
    [spans, failures, resource] = [[], [], {}];
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const message = JSON.parse(text) as Message;
        for (const { key, value } of message.resourceSpans[0]?.resource.attributes ?? [])
          resource[key] = value.stringValue;
        spans.push(
          ...message.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
        );
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Runs `use` with tracing. Its spans have arrived when this resolves. */
  async function traced(use: (tracing: Tracing) => Promise<unknown>, ratio = 1): Promise<void> {
    const endpoint = `http://127.0.0.1:${port}/`;
    const onFailure = (reason: string): void => void failures.push(reason);
    const opened = openTelemetry({ name: 'x-service', endpoint, ratio, onFailure });
    await use(opened.tracing);
    await opened.close();
  }

  it('returns the result of the work, and sends nested steps when it closes', async () => {
    await traced(async (tracing) => {
      const inner = (): Promise<number> => tracing.step('inner', {}, () => Promise.resolve(7));
      expect(await tracing.begin('outer', {}, inner)).to.equal(7);
    });
    const [inner, outer] = spans;
    expect(spans.map(({ name }) => name)).to.deep.equal(['inner', 'outer']);
    expect(inner?.parentSpanId).to.equal(outer?.spanId);
  });

  it('sends the name of the process and the attributes of OTEL_RESOURCE_ATTRIBUTES', async () => {
    process.env['OTEL_RESOURCE_ATTRIBUTES'] = 'deployment.environment.name=staging,service.name=other';
    try {
      await traced((tracing) => tracing.begin('request', {}, () => Promise.resolve()));
    } finally {
      delete process.env['OTEL_RESOURCE_ATTRIBUTES'];
    }
    expect(resource).to.include({
      'deployment.environment.name': 'staging',
      'service.namespace': 'placard',
      'service.name': 'x-service',
    });
  });

  it('continues the trace of a caller, and makes the header for a callee', async () => {
    await traced((tracing) =>
      tracing.resume(CALLER, 'served', {}, () => {
        expect(tracing.traceparent()).to.match(/^00-a{32}-(?!b{16})[0-9a-f]{16}-01$/);
        expect(tracing.logFields()).to.have.property('trace_id', 'a'.repeat(32));
        return Promise.resolve();
      }),
    );
    expect(spans[0]).to.include({ name: 'served', traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  });

  it('traces nothing outside a trace, with a ratio of 0, or for an invalid traceparent', async () => {
    await traced(async (tracing) => {
      const probe = (): Promise<string | null> => Promise.resolve(tracing.traceparent());
      expect(await tracing.step('step', {}, probe)).to.equal(null);
      expect(await tracing.resume(null, 'served', {}, probe)).to.equal(null);
      expect(await tracing.resume(`${CALLER}x`, 'served', {}, probe)).to.equal(null);
      expect(await tracing.begin('request', {}, probe)).to.equal(null);
    }, 0);
    expect(spans).to.deep.equal([]);
  });

  it('records nothing that outlives its step', async () => {
    await traced(async (tracing) => {
      let late: Promise<string | null> = Promise.resolve('never asked');
      await tracing.begin('request', {}, () => {
        late = new Promise((resolve) => setImmediate(() => resolve(tracing.traceparent())));
        return Promise.resolve();
      });
      expect(await late).to.equal(null);
    });
  });

  it('marks faults of the product as errors, and not faults of the caller', async () => {
    const failing = (code: 'unavailable' | 'invalid_session') => () => Promise.reject(appError(code, 'No.'));
    await traced(async (tracing) => {
      await tracing.begin('ours', {}, failing('unavailable')).catch(() => undefined);
      await tracing.begin('theirs', {}, failing('invalid_session')).catch(() => undefined);
    });
    expect(spans.map(({ name, status }) => [name, status.code === ERROR])).to.deep.equal([
      ['ours', true],
      ['theirs', false],
    ]);
  });

  it('records work for several requests in the first trace, with links to the others', async () => {
    const requests = [
      { traceparent: null, adRequestId: 'req_0' },
      { traceparent: CALLER, adRequestId: 'req_1' },
      { traceparent: OTHER, adRequestId: 'req_2' },
    ];
    await traced((tracing) => servingAll(tracing, requests, 'group', () => Promise.resolve()));
    expect(spans[0]).to.include({ name: 'group', traceId: 'a'.repeat(32) });
    expect(spans[0]?.links.map(({ traceId }) => traceId)).to.deep.equal(['c'.repeat(32)]);
    expect(valueOf(spans[0], AD_REQUEST_IDS)?.arrayValue?.values).to.deep.equal([
      { stringValue: 'req_1' },
      { stringValue: 'req_2' },
    ]);
  });

  it('gives the id of a request to each step of it in the process', async () => {
    await traced((tracing) =>
      tracing.begin('request', { attributes: { [REQUEST_ID]: 'req_1' } }, () =>
        tracing.step('outer', {}, () => tracing.step('inner', {}, () => Promise.resolve())),
      ),
    );
    expect(spans.map((span) => [span.name, valueOf(span, REQUEST_ID)?.stringValue])).to.deep.equal([
      ['inner', 'req_1'],
      ['outer', 'req_1'],
      ['request', 'req_1'],
    ]);
  });

  it('notes an attribute and a link on the running step, and nothing outside of a step', async () => {
    await traced(async (tracing) => {
      tracing.note({ [AD_REQUEST_ID]: 'req_0' }, OTHER);
      await tracing.begin('request', {}, () => {
        tracing.note({ [AD_REQUEST_ID]: 'req_1' }, OTHER);
        tracing.note({}, null);
        tracing.note({}, 'no traceparent');
        return Promise.resolve();
      });
    });
    expect(spans).to.have.lengthOf(1);
    expect(valueOf(spans[0], AD_REQUEST_ID)?.stringValue).to.equal('req_1');
    expect(spans[0]?.links.map(({ traceId }) => traceId)).to.deep.equal(['c'.repeat(32)]);
  });

  it('logs that spans were lost, and the traced work goes on', async () => {
    server.removeAllListeners('request');
    server.on('request', (_, response) => void response.writeHead(400).end());
    await traced(async (tracing) => {
      expect(await tracing.begin('request', {}, () => Promise.resolve(7))).to.equal(7);
    });
    expect(failures).to.have.lengthOf(1);
  });
});
