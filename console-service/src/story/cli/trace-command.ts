import { readRequestId } from '@placard/service-kit/pure';
import type { Command } from 'commander';
import { CommandError } from '../../cli/command-error.js';
import { logFilesOf } from '../../cli/instance.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { linesAbout } from '../domain/log-lines.js';
import { readLogs } from './read-logs.js';
import { isKnown, toStory, toStoryText, type StoryShape } from './trace-output.js';

interface TraceOptions {
  readonly logs?: readonly string[];
  readonly json: boolean;
}

/** Adds `trace`. Contract: docs/contract/operator-interface.md#trace. */
export function addTraceCommand(program: Command, io: CommandIo): void {
  program
    .command('trace')
    .description('Show what became of one request: the ad, its events, its booking, and its log lines.')
    .argument('<REQUEST_ID>', 'the request_id of an ad, or the X-Request-Id of any answer')
    .option('--logs <file...>', 'logs to read, one JSON object a line; - is standard input')
    .option('--json', 'print JSON', false)
    .action((requestId: string, options: TraceOptions, command: Command) =>
      trace(requestId, options, { io, dataDir: dataDirOf(command) }),
    );
}

async function trace(
  requestId: string,
  { logs, json: isJson }: TraceOptions,
  where: { readonly io: CommandIo; readonly dataDir: string | undefined },
): Promise<void> {
  const { io, dataDir } = where;
  if (readRequestId(requestId) === null) {
    throw new CommandError(
      `${requestId === '' ? 'an empty text' : requestId} is no request id. One is req_ and 32 hexadecimal digits in lower case, as in the header X-Request-Id.`,
    );
  }
  const params = { path: { id: requestId } };
  const stored = await withInstance(where, (client) =>
    answerOf(client.GET('/requests/{id}/trace', { params })),
  );
  const lines = linesAbout(requestId, await readLogs(logs ?? logFilesOf(io.env, dataDir)));
  const story = toStory(requestId, stored, lines);
  if (!isKnown(story)) throw new CommandError(unknownText(story));
  io.out(isJson ? `${JSON.stringify(story, null, 2)}\n` : toStoryText(story));
}

function unknownText({ request_id: requestId, requested_at: requestedAt, notes }: StoryShape): string {
  return `nothing is stored of ${requestId}, whose id carries the time ${requestedAt}. ${notes.at(-1) ?? ''} The answer is kept for 3 days when the request is in the sample (EXPLAIN_SAMPLE) or its app is marked (explained: true). Another ad is in no table before its first event, and warnings are sampled, so most requests have no line in a log. Logs of the level debug have one for each (--logs FILE); or look in the traces (placard.request_id).`;
}
