// Made by protos/tune-services.mjs. DO NOT EDIT.
import { BinaryWriter } from "@bufbuild/protobuf/wire";

/** A writer that has written a longer message is not kept, nor is its buffer. */
const KEPT_BYTES_MAX = 65_536;

/** Null: in use, or a message could not be written: what there is of it must not stand before the next. */
let shared: BinaryWriter | null = null;

/** A message as the bytes of the wire. Throws what the encoding throws. */
export function toBytes<Message>(
  codec: { encode(message: Message, writer: BinaryWriter): BinaryWriter },
  message: Message,
): Buffer {
  const writer = shared ?? new BinaryWriter();
  shared = null;
  const bytes = codec.encode(message, writer).finish();
  if (bytes.length <= KEPT_BYTES_MAX) shared = writer;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
