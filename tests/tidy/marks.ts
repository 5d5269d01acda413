import type { Fault, SourceFile } from './source-files.js';

/** Put together here, so that this file holds none of them. */
const MARKS = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`);

/** Faults against marks of unfinished work. */
export function markFaults({ path, text }: SourceFile): Fault[] {
  return text.split('\n').flatMap((line, index) => {
    const mark = MARKS.exec(line)?.[1];
    return mark === undefined
      ? []
      : [`${path}:${index + 1}: has a ${mark}; finish it, or say in words what holds now`];
  });
}
