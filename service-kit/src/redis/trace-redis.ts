import type { Cluster, Redis } from 'ioredis';
import { isForgottenScript } from './forgotten-script.js';
import type { Tracing } from '../tracing/tracing.js';

type Command = (this: unknown, ...args: unknown[]) => unknown;

/** Records each command of a client as a step of the request that sends it. A script has its own name. */
export function traceRedis(
  tracing: Tracing,
  client: Redis | Cluster,
  scriptName: (hash: string) => string | undefined,
): void {
  const methods = client as unknown as Record<string, Command | undefined>;
  for (const command of client.getBuiltinCommands()) {
    const send = methods[command];
    if (send === undefined) continue;
    methods[command] = (...args) => {
      if (tracing.traceparent() === null) return send.apply(client, args);
      const script = typeof args[0] === 'string' ? scriptName(args[0]) : undefined;
      const answer = tracing.step(
        script === undefined ? command : `${command} ${script}`,
        {
          kind: 'client',
          attributes: {
            'db.system.name': 'redis',
            'db.operation.name': command,
            ...(script === undefined ? {} : { 'db.stored_procedure.name': script }),
          },
        },
        () => Promise.resolve(send.apply(client, args)).catch(orForgotten),
      );
      return answer.then(orThrow);
    };
  }
}

/**
 * The reply of a node that has not loaded a script. The client then sends the whole script, so the step is not a
 * failure.
 */
class ForgottenScript {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

function orForgotten(error: unknown): ForgottenScript {
  if (isForgottenScript(error)) return new ForgottenScript(error);
  throw error;
}

function orThrow(answer: unknown): unknown {
  if (answer instanceof ForgottenScript) throw answer.error;
  return answer;
}
