// Part of `npm run gen`, behind `buf generate`: lets the generated services write their messages by the function below. The
// library gives each message a writer of its own, which grows from nothing: four buffers for a fill. The bytes are the same.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesUnder } from '../deploy/local/bootstrap/build.mjs';

const root = path.join(import.meta.dirname, 'gen', 'placard');
const WRITE = /Buffer\.from\((\w+)\.encode\(value\)\.finish\(\)\)/g;
const IMPORT = /^import \{ BinaryReader, BinaryWriter \} from "@bufbuild\/protobuf\/wire";\n/m;

const WIRE = `// Made by protos/tune-services.mjs. DO NOT EDIT.
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
`;

writeFileSync(path.join(root, 'to-bytes.ts'), WIRE);
for (const file of filesUnder(root).filter((name) => name.endsWith('.ts'))) {
  const text = readFileSync(file, 'utf8');
  const tuned = text.replace(WRITE, 'toBytes($1, value)');
  if (tuned === text) continue;
  if (!IMPORT.test(text))
    throw new Error(`${file} imports the writer in another way: bring ${import.meta.filename} up to date`);
  const home = path.relative(path.dirname(file), path.join(root, 'to-bytes.js'));
  writeFileSync(
    file,
    tuned.replace(IMPORT, (line) => `${line}import { toBytes } from "${home}";\n`),
  );
}
