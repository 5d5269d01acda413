import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Client,
  credentials,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { Redis } from 'ioredis';

/** Request of a step. */
export interface TakeRequest {
  readonly key: string;
  readonly session: string;
}

/** Answer of a step. */
export interface TakeResponse {
  readonly count: number;
  readonly token: string;
}

const COUNTER_MS = 60_000;
const PROTO = fileURLToPath(new URL('../skeleton.proto', import.meta.url));
const SCRIPT = readFileSync(new URL('./count.lua', import.meta.url), 'utf8');

const Step = (
  loadPackageDefinition(loadSync(PROTO, { longs: Number, defaults: true })) as unknown as {
    readonly placard: {
      readonly skeleton: { readonly v1: { readonly StepService: ServiceClientConstructor } };
    };
  }
).placard.skeleton.v1.StepService;

/** Runs the one Redis script of a step. */
export type RunScript = (key: string) => Promise<number>;

/** Connects to Redis. The library loads the script once and then calls it by its digest. */
export function openScript(redisUrl: string): { readonly redis: Redis; readonly run: RunScript } {
  const redis = new Redis(redisUrl, { enableAutoPipelining: true });
  redis.defineCommand('countOnce', { numberOfKeys: 1, lua: SCRIPT });
  const { countOnce } = redis as unknown as {
    readonly countOnce: (key: string, lifeMs: number) => Promise<number>;
  };
  return { redis, run: (key) => countOnce.call(redis, `{skeleton}:${key}`, COUNTER_MS) };
}

/** A client of the step at an address, as a function. */
export function openStep(address: string): (request: TakeRequest) => Promise<TakeResponse> {
  const client = new Step(address, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = Step.service[
    'Take'
  ] as (typeof Step.service)[string];
  return (request) =>
    new Promise((resolve, reject) => {
      Client.prototype.makeUnaryRequest.call(
        client,
        path,
        requestSerialize,
        responseDeserialize,
        request,
        (error, response) => {
          if (error === null) resolve(response as TakeResponse);
          else reject(error);
        },
      );
    });
}

/** Serves a step on a free port of this machine; returns the port. */
export async function serveStep(take: (request: TakeRequest) => Promise<TakeResponse>): Promise<number> {
  const server = new Server();
  server.addService(Step.service, {
    Take: (call: ServerUnaryCall<TakeRequest, TakeResponse>, done: sendUnaryData<TakeResponse>): void => {
      take(call.request).then(
        (response) => done(null, response),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}
