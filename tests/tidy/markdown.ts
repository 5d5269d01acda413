import { posix } from 'node:path';
import type { Fault, SourceFile } from './source-files.js';

const LINE_CHARS_MAX = 120;
const FENCE = /^\s*(```|~~~)/;
/** Parts of a line that cannot be broken: code, and the target of a link. */
const WHOLE = /`[^`]*`|\]\([^()]*\)/g;
/** The beginning of a line: blanks, and the sign of a list item or a quotation. */
const BEGINNING = /^\s*(?:[-*>]|\d+\.)?\s*/;
/** The target of a link. */
const LINK = /\]\(([^()\s]+)\)/g;

/**
 * Markdown lines that are too long. Lines that cannot be broken are left out: fenced code, rows of tables, and lines with
 * only one word, one code or one link.
 */
export function lineFaults({ path, text }: SourceFile): Fault[] {
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (!isFenced && line.length > LINE_CHARS_MAX && canBreak(line)) {
      const advice = `${LINE_CHARS_MAX} at most; break it at a blank`;
      return [`${path}:${index + 1}: has ${line.length} characters, ${advice}`];
    }
    return [];
  });
}

function canBreak(line: string): boolean {
  if (/^\s*\|/.test(line)) return false;
  return line.replace(BEGINNING, '').replace(WHOLE, '').trim().includes(' ');
}

/**
 * Links to missing files of the repository. `exists` receives a path from the root. `citationFaults` checks the anchors of
 * pages.
 */
export function deadLinkFaults({ path, text }: SourceFile, exists: (path: string) => boolean): Fault[] {
  return [...text.matchAll(LINK)].flatMap(({ 1: target = '', index }) => {
    if (/^([a-z]+:|#)/.test(target)) return [];
    const to = posix.join(posix.dirname(path), target.replace(/#.*$/, ''));
    if (exists(to)) return [];
    return [`${path}:${text.slice(0, index).split('\n').length}: links to ${to}, which does not exist`];
  });
}
