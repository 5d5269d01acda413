import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { brokenHttp, invalidRequest, type Answer } from '../../domain/answer.js';
import { contentTypeFault } from '../domain/content-type.js';
import { isPlainlyFramed } from '../../edge/domain/http-headers.js';
import { BODY_BYTES_MAX, parseJsonBody } from '../domain/json-body.js';

/** The JSON object of a request, or the answer with its fault. */
export type BodyReading =
  { readonly value: Readonly<Record<string, unknown>> } | { readonly refusal: Answer };

type Bytes = { readonly bytes: Buffer } | { readonly problem: 'too large' | 'too slow' | 'unreadable' };

const TOO_LARGE: Answer = {
  ...invalidRequest({ body: [`must not be larger than ${BODY_BYTES_MAX} bytes`] }, 413),
  isLast: true,
};
const TOO_SLOW: Answer = { ...invalidRequest({ body: ['did not arrive in time'] }, 408), isLast: true };

/**
 * Reads and checks a body in the order framing → size → content type → encoding → JSON, within `waitMsMax` milliseconds
 * in total. A body that is too large or too slow ends the connection.
 * Contract: docs/contract/requests.md#order-of-reading.
 */
export async function readBody(req: IncomingMessage, waitMsMax: number): Promise<BodyReading> {
  if (!isPlainlyFramed(req.headers, req.httpVersion)) return { refusal: brokenHttp() };
  const raw = await collect(req, waitMsMax);
  if ('problem' in raw) return { refusal: raw.problem === 'too slow' ? TOO_SLOW : TOO_LARGE };
  if (raw.bytes.byteLength === 0) return { value: {} };
  const decoded = decode(raw.bytes, req.headers['content-encoding']);
  if ('problem' in decoded && decoded.problem === 'too large') return { refusal: TOO_LARGE };
  const typeFault = contentTypeFault(req.headers['content-type']);
  if (typeFault !== null) return refuse(typeFault);
  if ('problem' in decoded)
    return refuse('must be plain, or compressed with gzip, deflate or br as Content-Encoding says');
  const parsed = parseJsonBody(decoded.bytes);
  return 'fault' in parsed ? refuse(parsed.fault) : parsed;
}

function refuse(fault: string): BodyReading {
  return { refusal: invalidRequest({ body: [fault] }) };
}

function collect(req: IncomingMessage, waitMsMax: number): Promise<Bytes> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    return Promise.resolve({ problem: 'too large' });
  }
  if (req.destroyed) return Promise.resolve({ problem: 'too slow' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > BODY_BYTES_MAX) finish({ problem: 'too large' });
    };
    const onEnd = (): void =>
      finish({ bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
    const onClose = (): void => finish({ problem: 'too slow' });
    const timer = setTimeout(onClose, waitMsMax);
    const finish = (outcome: Bytes): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // Later errors are ignored, because the client is gone. The remaining body is discarded.
      req.on('error', () => undefined);
      req.resume();
      resolve(outcome);
    };
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: BODY_BYTES_MAX }),
  deflate: inflateEither,
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: BODY_BYTES_MAX }),
};

/** `deflate` means the zlib format, but many clients send raw deflate data. */
function inflateEither(bytes: Buffer): Buffer {
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
  return (isZlib ? inflateSync : inflateRawSync)(bytes, { maxOutputLength: BODY_BYTES_MAX });
}

/** At most 16 KiB in and out, so the work is too small for another thread. */
function decode(bytes: Buffer, header: string | undefined): Bytes {
  const name =
    (header ?? 'identity')
      .trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip') || 'identity';
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decoder === undefined) return { problem: 'unreadable' };
  try {
    return { bytes: decoder(bytes) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { problem: isTooLarge ? 'too large' : 'unreadable' };
  }
}
