// The thread that read-catalog-file.ts starts for a large file. It reads the file and sends its content in pieces.
import { parentPort, workerData } from 'node:worker_threads';
import { toParcel, type Piece } from './catalog-parcel.js';
import { readHere } from './read-here.js';

/** Objects per message. Unpacking them blocks the receiving thread for some milliseconds only. */
const OBJECTS_PER_PIECE = 2_000;

function send(piece: Piece): void {
  parentPort?.postMessage(piece);
}

const { file, faults } = readHere(workerData as string);
const objects = file?.objects ?? [];
for (let at = 0; at < objects.length; at += OBJECTS_PER_PIECE) {
  send({ kind: 'objects', objects: objects.slice(at, at + OBJECTS_PER_PIECE).map(toParcel) });
}
send({ kind: 'end', sections: file === null ? null : [...file.sections], faults: faults.parts() });
