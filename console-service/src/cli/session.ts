import type { TlsFiles } from '@placard/service-kit';
import { AppError, isErrorCode, messageOf } from '@placard/service-kit/errors';
import { CATALOG_APPLY_MS_MAX } from '@placard/service-kit/pure';
import { settingOf } from '@placard/service-kit/setting';
import type { Command } from 'commander';
import createClient, { type Client } from 'openapi-fetch';
import { Agent, fetch as send, Request as SentRequest } from 'undici';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { paths } from '../../gen/manage-api.js';
import { SYSTEM_USER_HEADER, systemUserText } from '../access/domain/system-user.js';
import type { Schemas } from '../manage/domain/operations.js';
import { CommandError } from './command-error.js';
import { findInstance, type Instance } from './instance.js';
import { tlsFaultText } from './tls-fault.js';

/** The service that answers. The certificate of an instance with TLS names it. */
const SERVICE = 'console-service';

/** Input and output of a command. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Name of the operating-system user, for the audit. Missing: it is not known. */
  readonly userName?: string | undefined;
}

/** The client of a running instance. Pass its calls to {@link answerOf}. */
export type ManageClient = Client<paths>;

/** The data folder that is named anywhere on the command line. */
export function dataDirOf(command: Command): string | undefined {
  return command.optsWithGlobals<{ readonly data?: string }>().data;
}

/** Finds the running instance, runs `work` with its client, and disconnects. TLS is used where the settings name certificates. */
export async function withInstance<T>(
  options: { readonly io: CommandIo; readonly dataDir: string | undefined },
  work: (client: ManageClient) => Promise<T>,
): Promise<T> {
  const tls = await tlsOf(options.io.env);
  const instance = findInstance(options.io.env, options.dataDir, tls !== null);
  const dispatcher = openAgent(instance, tls);
  try {
    return await work(makeClient(instance, dispatcher, options.io.userName));
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') await requireFittingTls(instance, tls);
    throw error;
  } finally {
    await dispatcher.close();
  }
}

/**
 * The content of an answer. Throws an AppError with the code and the text of a problem, and a CommandError when the key is
 * refused.
 */
export async function answerOf<T>(
  call: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  const problem = problemOf(error);
  if (response.status === 401) throw new CommandError(`${problem.detail} Set PLACARD_KEY to one.`);
  throw new AppError(isErrorCode(problem.code) ? problem.code : 'server_error', textOf(problem));
}

/** What happened, and each fault with its field and what is allowed. */
function textOf({ detail, errors = [] }: ReturnType<typeof problemOf>): string {
  const faults = errors.map((fault) => `${fault.field}: ${fault.detail}`.replace(/\.$/, '')).join('; ');
  return faults === '' ? detail : `${detail} ${faults}.`;
}

/** The header of a call that creates something or moves money: a key for this call alone. */
export function onceOnly(): { readonly 'Idempotency-Key': string } {
  return { 'Idempotency-Key': randomUUID() };
}

/** The problem in an answer. An answer of another kind comes from a proxy between the command and the instance. */
export function problemOf(error: unknown): Pick<Schemas['Problem'], 'code' | 'detail' | 'errors'> {
  if (typeof error === 'object' && error !== null && 'detail' in error && 'code' in error)
    return error as Schemas['Problem'];
  return { code: 'unavailable', detail: 'The instance cannot be reached through this address.' };
}

/** The settings of which at least one is set where commands use TLS, or must. */
const TLS_SETTINGS = ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE', 'REQUIRE_TLS', 'GRPC_REFLECTION'];

async function tlsOf(env: NodeJS.ProcessEnv): Promise<TlsFiles | null> {
  if (TLS_SETTINGS.every((name) => settingOf(env, name) === undefined)) return null;
  // Reading settings loads libraries that commands without TLS do not need.
  const { ConfigError, readRpcSettings } = await import('@placard/service-kit');
  try {
    return readRpcSettings(env).tls;
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}

function openAgent({ isService }: Instance, tls: TlsFiles | null): Agent {
  const files =
    tls === null
      ? {}
      : { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), ca: readFileSync(tls.caFile) };
  return new Agent({
    headersTimeout: CATALOG_APPLY_MS_MAX,
    bodyTimeout: CATALOG_APPLY_MS_MAX,
    connect: isService ? { ...files, servername: SERVICE } : files,
  });
}

function makeClient(
  { url, key, address }: Instance,
  dispatcher: Agent,
  userName: string | undefined,
): ManageClient {
  const user = userName === undefined ? {} : { [SYSTEM_USER_HEADER]: systemUserText(userName) };
  return createClient<paths>({
    baseUrl: `${url}/manage/v1`,
    headers: { Authorization: `Bearer ${key}`, ...user },
    querySerializer: { array: { style: 'form', explode: false } },
    Request: SentRequest as unknown as typeof Request,
    fetch: async (request) => {
      try {
        // The same classes, of the library and not of Node.js.
        const answer: unknown = await send(request as unknown as SentRequest, { dispatcher });
        return answer as Response;
      } catch (cause) {
        throw toAppError(cause, address);
      }
    },
  });
}

function toAppError(cause: unknown, address: string): AppError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const isLate = messageOf(reason).includes('Timeout');
  if (isLate)
    return new AppError('deadline_exceeded', `the instance at ${address} did not answer in time.`, { cause });
  return new AppError('unavailable', `the instance at ${address} cannot be reached.`, { cause });
}

/** Throws a CommandError when the connection to the instance failed because only one side uses TLS, or by a certificate. */
async function requireFittingTls({ address, isService }: Instance, tls: TlsFiles | null): Promise<void> {
  if (!isService) return;
  const { tlsMismatch } = await import('@placard/service-kit/grpc');
  const mismatch = await tlsMismatch(tls, SERVICE, address);
  if (mismatch !== null) throw new CommandError(tlsFaultText(address, mismatch));
}
