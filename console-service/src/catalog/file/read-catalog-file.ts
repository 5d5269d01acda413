import { Worker } from 'node:worker_threads';
import { Faults } from '../domain/faults.js';
import type { NamedObject } from '../domain/read-catalog.js';
import { fromParcel, type Piece } from './catalog-parcel.js';
import { readHere, type FileRead } from './read-here.js';

/** Longest text that is read on this thread. It takes some ten milliseconds, less than the start of a thread. */
const READ_HERE_CHARS_MAX = 100_000;
const MS_PER_SECOND = 1_000;

/** Limits for reading one file. */
export interface ReadLimits {
  readonly seconds: number;
  /** Heap of the reading thread. */
  readonly megabytes: number;
}

/** Enough for the largest export, and within the memory of console-service's pod. */
const LIMITS: ReadLimits = { seconds: 90, megabytes: 2_560 };

let lastRead: Promise<unknown> = Promise.resolve();

/**
 * Reads the text of a catalog file, JSON or YAML of any size. A large file is read on a thread of its own, so that it blocks
 * nothing else and can be ended when it takes too much. Only one such thread runs at a time, since each may take gigabytes.
 */
export function readCatalogFile(text: string, limits = LIMITS): Promise<FileRead> {
  if (text.length <= READ_HERE_CHARS_MAX) return Promise.resolve(readHere(text));
  const read = lastRead.then(() => readApart(text, limits));
  lastRead = read.catch(() => undefined);
  return read;
}

function readApart(text: string, { seconds, megabytes }: ReadLimits): Promise<FileRead> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./reading-thread.js', import.meta.url), {
      workerData: text,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      void worker.terminate().then(settle, settle);
    };
    const refuse = (what: string): void =>
      end(() => resolve(unreadable(`${what} to read; split it, or write it as JSON if it is YAML`)));
    const timer = setTimeout(() => refuse(`takes more than ${seconds} seconds`), seconds * MS_PER_SECOND);
    const objects: NamedObject[] = [];
    worker.on('message', (piece: Piece) => {
      if (piece.kind === 'objects') {
        for (const parcel of piece.objects) objects.push(fromParcel(parcel));
        return;
      }
      const { sections } = piece;
      const file = sections === null ? null : { objects, sections: new Set(sections) };
      end(() => resolve({ file, faults: new Faults(piece.faults) }));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse(`takes more than ${megabytes} MB of memory`);
      else end(() => reject(error));
    });
  });
}

function unreadable(message: string): FileRead {
  const faults = new Faults();
  faults.add('', message);
  return { file: null, faults };
}
