import { appError } from '@placard/service-kit';

const REPORTER_CHARS_MAX = 128;

/** Refuses a report without a usable name or with too many lines. Error `invalid_argument`. */
export function requireReport(
  { reporterId, sequence }: { readonly reporterId: string; readonly sequence: bigint },
  lines: number,
  linesMax: number,
): void {
  if (reporterId === '' || reporterId.length > REPORTER_CHARS_MAX || sequence < 1n)
    throw appError('invalid_argument', 'A report needs a reporter and a sequence from 1.');
  if (lines > linesMax) throw appError('invalid_argument', `A report has at most ${linesMax} lines.`);
}
