import type { Member, Result } from '@placard/protos/batch/v1/batch.js';
import type { OutgoingCall } from '../outgoing-call.js';

/** A member as it crosses the wire. Its request is a part of the bytes of the frame. */
export type FramedMember = Member;

/** The content of a frame of calls. */
export interface CallFrame {
  readonly members: readonly FramedMember[];
  /** Ids of earlier members that nobody waits for any more. */
  readonly abandoned: readonly number[];
}

/** The content of a frame of answers. */
export interface AnswerFrame {
  readonly results: readonly Result[];
  /** True: the client should replace the stream, because the server stops. */
  readonly renew: boolean;
}

/*
 * The messages `ExchangeRequest` and `ExchangeResponse` of placard.batch.v1. They are encoded and decoded by hand,
 * because every call of every request passes here twice and the generated code takes several times as long.
 * `frames.test.ts` compares the two.
 */
const MEMBERS = 0x0a;
const ABANDONED = 0x12;
/** A single value of the list, as some encoders write it. */
const ONE_ABANDONED = 0x10;
const PATH = 0x0a;
const REQUEST = 0x12;
const REMAINING_MS = 0x18;
const REQUEST_ID = 0x22;
const TRACEPARENT = 0x2a;
const ID = 0x30;

const RESULTS = 0x0a;
const RENEW = 0x10;
const INDEX = 0x08;
const STATUS = 0x10;
const RESPONSE = 0x1a;
const DETAILS = 0x22;
const ERROR = 0x2a;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Encodes calls as one frame. The first call gets the id `firstId`, each further call the next one. `now` is an instant
 * of `performance.now()`, for the remaining time of each call.
 */
export function encodeCalls(calls: readonly OutgoingCall[], firstId: number, now: number): Buffer {
  const sizes: number[] = [];
  let total = 0;
  for (const [index, call] of calls.entries()) {
    const { path, request, requestId, traceparent } = call.content;
    const size =
      textSize(path) +
      bytesSize(request) +
      numberSize(remainingMs(call, now)) +
      textSize(requestId) +
      textSize(traceparent ?? '') +
      numberSize(firstId + index);
    sizes.push(size);
    total += 1 + varintSize(size) + size;
  }
  const writer = new Writer(total);
  for (const [index, call] of calls.entries()) {
    const { path, request, requestId, traceparent } = call.content;
    writer.begin(MEMBERS, sizes[index] as number);
    writer.text(PATH, path);
    writer.bytes(REQUEST, request);
    writer.number(REMAINING_MS, remainingMs(call, now));
    writer.text(REQUEST_ID, requestId);
    writer.text(TRACEPARENT, traceparent ?? '');
    writer.number(ID, firstId + index);
  }
  return writer.buffer;
}

function remainingMs(call: OutgoingCall, now: number): number {
  return Math.max(0, Math.floor(call.dueAt - now));
}

/** Encodes the ids of abandoned calls as one frame. */
export function encodeAbandoned(ids: readonly number[]): Buffer {
  const size = ids.reduce((sum, id) => sum + varintSize(id), 0);
  const writer = new Writer(1 + varintSize(size) + size);
  writer.begin(ABANDONED, size);
  for (const id of ids) writer.varint(id);
  return writer.buffer;
}

/** Decodes a frame of calls. Throws when it is not such a message. */
export function decodeCalls(frame: Buffer): CallFrame {
  const members: FramedMember[] = [];
  const abandoned: number[] = [];
  const reader = new Reader(frame);
  while (reader.hasMore(frame.length)) {
    const tag = reader.varint();
    if (tag === MEMBERS) members.push(decodeMember(reader));
    else if (tag === ABANDONED) decodeNumbers(reader, abandoned);
    else if (tag === ONE_ABANDONED) abandoned.push(reader.varint());
    else reader.skip(tag);
  }
  return { members, abandoned };
}

function decodeNumbers(reader: Reader, into: number[]): void {
  const end = reader.end();
  while (reader.hasMore(end)) into.push(reader.varint());
}

function decodeMember(reader: Reader): FramedMember {
  const member = { path: '', request: NOTHING, remainingMs: 0, requestId: '', traceparent: '', id: 0 };
  const end = reader.end();
  while (reader.hasMore(end)) {
    const tag = reader.varint();
    if (tag === PATH) member.path = reader.text();
    else if (tag === REQUEST) member.request = reader.bytes();
    else if (tag === REMAINING_MS) member.remainingMs = reader.varint();
    else if (tag === REQUEST_ID) member.requestId = reader.text();
    else if (tag === TRACEPARENT) member.traceparent = reader.text();
    else if (tag === ID) member.id = reader.varint();
    else reader.skip(tag);
  }
  return member;
}

/** Encodes answers as one frame. */
export function encodeAnswers({ results, renew }: AnswerFrame): Buffer {
  const sizes: number[] = [];
  let total = renew ? 2 : 0;
  for (const result of results) {
    const size =
      numberSize(result.index) +
      numberSize(result.status) +
      bytesSize(result.response) +
      textSize(result.details) +
      bytesSize(result.error);
    sizes.push(size);
    total += 1 + varintSize(size) + size;
  }
  const writer = new Writer(total);
  for (const [index, result] of results.entries()) {
    writer.begin(RESULTS, sizes[index] as number);
    writer.number(INDEX, result.index);
    writer.number(STATUS, result.status);
    writer.bytes(RESPONSE, result.response);
    writer.text(DETAILS, result.details);
    writer.bytes(ERROR, result.error);
  }
  if (renew) writer.number(RENEW, 1);
  return writer.buffer;
}

/** Decodes the answers of a frame. Throws when it is not such a message. */
export function decodeAnswers(frame: Buffer): AnswerFrame {
  const results: Result[] = [];
  let renew = false;
  const reader = new Reader(frame);
  while (reader.hasMore(frame.length)) {
    const tag = reader.varint();
    if (tag === RESULTS) results.push(decodeResult(reader));
    else if (tag === RENEW) renew = reader.varint() !== 0;
    else reader.skip(tag);
  }
  return { results, renew };
}

function decodeResult(reader: Reader): Result {
  const result = { index: 0, status: 0, response: NOTHING, details: '', error: NOTHING };
  const end = reader.end();
  while (reader.hasMore(end)) {
    const tag = reader.varint();
    if (tag === INDEX) result.index = reader.varint();
    else if (tag === STATUS) result.status = reader.varint();
    else if (tag === RESPONSE) result.response = reader.bytes();
    else if (tag === DETAILS) result.details = reader.text();
    else if (tag === ERROR) result.error = reader.bytes();
    else reader.skip(tag);
  }
  return result;
}

/** Sizes of fields, with their one-byte tag. Empty values and 0 are left out, as in proto3. */
function textSize(text: string): number {
  return text === '' ? 0 : lengthSize(Buffer.byteLength(text));
}

function bytesSize(bytes: Buffer): number {
  return bytes.length === 0 ? 0 : lengthSize(bytes.length);
}

function lengthSize(length: number): number {
  return 1 + varintSize(length) + length;
}

function numberSize(value: number): number {
  return value === 0 ? 0 : 1 + varintSize(value);
}

function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  return value < 0x1000_0000 ? 4 : 5;
}

class Writer {
  readonly buffer: Buffer;
  #at = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  begin(tag: number, size: number): void {
    this.buffer[this.#at++] = tag;
    this.varint(size);
  }

  text(tag: number, text: string): void {
    if (text === '') return;
    this.begin(tag, Buffer.byteLength(text));
    this.#at += this.buffer.write(text, this.#at);
  }

  bytes(tag: number, bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.begin(tag, bytes.length);
    this.buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  number(tag: number, value: number): void {
    if (value !== 0) this.begin(tag, value);
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.#at++] = rest;
  }
}

const VARINT_BYTES_MAX = 10;

class Reader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  hasMore(end: number): boolean {
    if (this.#at > end) throw new RangeError('A field of the frame goes beyond its message.');
    return this.#at < end;
  }

  /** Exact up to 2^53. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < VARINT_BYTES_MAX; count += 1) {
      const byte = this.#buffer[this.#at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new RangeError('The frame breaks off.');
  }

  /** Reads a length. Answers the end of the bytes that follow it. */
  end(): number {
    const length = this.varint();
    const end = this.#at + length;
    if (end > this.#buffer.length) throw new RangeError('The frame breaks off.');
    return end;
  }

  bytes(): Buffer {
    const end = this.end();
    const bytes = this.#buffer.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  text(): string {
    const end = this.end();
    const text = this.#buffer.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  /** Skips a field of a later release. */
  skip(tag: number): void {
    const type = tag & 7;
    if (type === 0) this.varint();
    else if (type === 1) this.#at += 8;
    else if (type === 2) this.#at = this.end();
    else if (type === 5) this.#at += 4;
    else throw new RangeError(`The frame holds a field of the unknown type ${type}.`);
  }
}
