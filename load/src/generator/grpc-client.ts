import path from 'node:path';
import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { rootDir } from '../root-dir.js';
import { ANSWER_MS_MAX, type Code, type Written } from './api.js';

const PROTOS = path.join(rootDir, 'protos');
/** Trailer with the services' own error code. */
const ERROR_TRAILER = 'placard-error-bin';

/** The result of a call: a message, or the code of its failure. */
export type Called<Answer> =
  { readonly answer: Answer; readonly code: null } | { readonly answer: null; readonly code: Code };

/** Calls one method; never rejects. `written` is called when gRPC has the request. gRPC does not report when it is sent. */
export type Call<Request, Answer> = (request: Request, written?: Written) => Promise<Called<Answer>>;

/** Reads a service of `protos/`, such as `serving` `ServingService`, at run time, without generated code. */
export function loadService(folder: string, service: string): ServiceDefinition {
  const definition = loadSync(`placard/${folder}/v1/${folder}.proto`, {
    includeDirs: [PROTOS],
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  })[`placard.${folder}.v1.${service}`];
  if (definition === undefined || 'format' in definition)
    throw new Error(`there is no ${service} in ${PROTOS}`);
  return definition;
}

/** Connections to one service, used in turn, because a single HTTP/2 connection would be a bottleneck. */
export class GrpcClients {
  readonly #clients: readonly Client[];
  readonly #definition: ServiceDefinition;
  #next = 0;

  constructor(address: string, definition: ServiceDefinition, connections: number) {
    this.#definition = definition;
    this.#clients = Array.from(
      { length: connections },
      () =>
        new Client(address, credentials.createInsecure(), {
          // Otherwise all clients of an address share one connection.
          'grpc.use_local_subchannel_pool': 1,
        }),
    );
  }

  /** A method as a function. */
  method<Request, Answer>(name: string): Call<Request, Answer> {
    const method = this.#definition[name];
    if (method === undefined) throw new Error(`there is no method ${name}`);
    return (request, written) =>
      new Promise((resolve) => {
        this.#next = (this.#next + 1) % this.#clients.length;
        this.#clients[this.#next]?.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request as object,
          { deadline: Date.now() + ANSWER_MS_MAX },
          (error, answer) => {
            if (error === null) resolve({ answer: answer as Answer, code: null });
            else resolve({ answer: null, code: codeOf(error) });
          },
        );
        written?.();
      });
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}

/** The service's own code if it sent one, else the status. */
function codeOf(error: ServiceError): Code {
  const [trailer] = error.metadata.get(ERROR_TRAILER);
  try {
    const { code } = JSON.parse(String(trailer)) as { readonly code: string };
    return code;
  } catch {
    return status[error.code];
  }
}
