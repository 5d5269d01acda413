import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Programs with which somebody who got into a container would go on. */
const UNWANTED =
  /^(?:(?:ba|da|z|k|c|tc)?sh|busybox|toybox|apt(?:-.*)?|dpkg(?:-.*)?|apk|rpm|npm|npx|yarn|corepack|perl.*|python.*|gcc|curl|wget|nc|su|sudo|mount)$/;
/** Folders that programs are started from. */
const PROGRAMS = /^(?:usr\/)?(?:local\/)?s?bin$/;
const SET_ID_BITS = 0o6000;
const WRITABLE_BY_OTHERS_BIT = 0o002;
const STICKY_BIT = 0o1000;
const IS_EXECUTABLE_BITS = 0o111;

/**
 * What a file system of an image has and must not have: programs beside Node.js, setuid and setgid files, and files or
 * folders that everybody may write.
 * @param {string} root
 * @returns {readonly string[]} one line each, sorted by path
 */
export function fatOf(root) {
  return foundIn(root, '').sort();
}

function foundIn(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const { mode } = lstatSync(path.join(root, file));
    const faults = [];
    if (!entry.isSymbolicLink()) {
      if ((mode & SET_ID_BITS) !== 0 && entry.isFile()) faults.push(`/${file} is setuid or setgid`);
      const isShared = entry.isDirectory() && (mode & STICKY_BIT) !== 0;
      if ((mode & WRITABLE_BY_OTHERS_BIT) !== 0 && !isShared)
        faults.push(`/${file} may be written by everybody`);
    }
    if (PROGRAMS.test(folder) && UNWANTED.test(entry.name) && (mode & IS_EXECUTABLE_BITS) !== 0)
      faults.push(`/${file} is a program that no service needs`);
    return entry.isDirectory() ? [...faults, ...foundIn(root, file)] : faults;
  });
}
