import { posix } from 'node:path';
import type { Fault, SourceFile } from './source-files.js';

/** The anchors of a page by its path from the root; null when there is no such page. */
export type AnchorsOf = (path: string) => ReadonlySet<string> | null;

/** Words that are no citation. They are composed here, so that this file does not contain them. */
const NAMELESS = new RegExp(`\\b(${['specif' + 'ications?', 'rul' + 'ings?'].join('|')})\\b`, 'gi');
/** A citation that names no page. The path may stand on the next line of a comment. */
const PAGELESS = /\b(Contract|Design|Operator interface):(?![\s*/-]*docs\/)/g;
/** A page named in code by its path from the root. `…/docs/…` of another project does not match. */
const NAMED_PAGE = /(?<![\w-]\/)\bdocs\/[\w/-]+(?:\.[\w-]+)*\.md(?:#[\w-]+)?/g;
/** The target of a Markdown link. */
const LINK = /\]\(([^()\s]+)\)/g;

/** The anchors of a Markdown page: its headings as GitHub spells them, and `<a id="…">`. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const text = markdown.replace(/^```[^]*?^```/gm, '');
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? ''));
  for (const [, heading = ''] of text.matchAll(/^#+ +(.+?) *$/gm)) anchors.add(free(slug(heading), anchors));
  return anchors;
}

function slug(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
}

function free(anchor: string, taken: ReadonlySet<string>): string {
  if (!taken.has(anchor)) return anchor;
  let count = 1;
  while (taken.has(`${anchor}-${count}`)) count += 1;
  return `${anchor}-${count}`;
}

/** Faults of the citations and links of one file: those without a page, and those that lead nowhere. */
export function citationFaults({ path, text }: SourceFile, pages: AnchorsOf): Fault[] {
  const isMarkdown = path.endsWith('.md');
  const named = [...text.matchAll(isMarkdown ? LINK : NAMED_PAGE)].flatMap((match) => {
    const target = match[1] ?? match[0];
    const nowhere = isMarkdown ? linkFault(path, target, pages) : pageFault(target, pages);
    return nowhere === null ? [] : [fault(path, text, match.index, nowhere)];
  });
  return [...named, ...namelessFaults(path, text, isMarkdown)];
}

function namelessFaults(path: string, text: string, isMarkdown: boolean): Fault[] {
  const advice = 'cite docs/contract/<page>.md#<anchor>';
  const matches = [...text.matchAll(NAMELESS), ...(isMarkdown ? [] : text.matchAll(PAGELESS))];
  return matches.map((match) => fault(path, text, match.index, `"${match[0]}" names no page; ${advice}`));
}

function linkFault(from: string, target: string, pages: AnchorsOf): string | null {
  if (/^[a-z]+:/.test(target)) return null;
  const [page = '', anchor] = target.split('#');
  const to = page === '' ? from : posix.join(posix.dirname(from), page);
  if (!to.endsWith('.md')) return null;
  return pageFault(anchor === undefined ? to : `${to}#${anchor}`, pages);
}

function pageFault(target: string, pages: AnchorsOf): string | null {
  const [page = '', anchor] = target.split('#');
  const anchors = pages(page);
  if (anchors === null) return `${page} does not exist`;
  return anchor === undefined || anchors.has(anchor) ? null : `${page} has no anchor "${anchor}"`;
}

function fault(path: string, text: string, index: number, what: string): Fault {
  return `${path}:${text.slice(0, index).split('\n').length}: ${what}`;
}
