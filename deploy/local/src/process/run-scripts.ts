// Runs several scripts in one process, one after the other: loading the interpreter and the shared modules once instead
// of once a script saves a second of a start. Each reports its own failure through the exit status.
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
