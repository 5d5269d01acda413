import { decodeCatalog, readCatalogText } from '@placard/service-kit/files';
import { CATALOG_FILE_BYTES_MAX, catalogSizeText, type Utf8Text } from '@placard/service-kit/pure';
import { CommandError } from '../../cli/command-error.js';

/** Stands for standard input on the command line. */
const STANDARD_INPUT = '-';

/**
 * Reads the text of a file, which may be as large as a catalog file; `-` is standard input. Throws a CommandError that says why
 * it cannot be read.
 */
export async function readInput(file: string): Promise<string> {
  const read = file === STANDARD_INPUT ? await readStandardInput() : readCatalogText(file);
  if ('fault' in read) throw new CommandError(`${inputName(file)} ${read.fault}`);
  return read.text;
}

/** How messages name a file that {@link readInput} reads. */
export function inputName(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : file;
}

/** It is read as a stream, because it may be a socket, which cannot be opened as a file. */
async function readStandardInput(): Promise<Utf8Text> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > CATALOG_FILE_BYTES_MAX) return { fault: `${catalogSizeText(bytes)}.` };
    chunks.push(chunk);
  }
  return decodeCatalog(Buffer.concat(chunks));
}
