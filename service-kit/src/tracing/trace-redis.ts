import type { RedisClient } from '../redis.js';
import type { Tracing } from './tracing.js';

type Command = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Makes each command of a client a step of the request that sends it; a script goes by its name. Pipelines that the
 * client makes by itself do not matter, since the step is taken where the command is asked for.
 */
export function traceRedis(
  tracing: Tracing,
  client: RedisClient,
  scriptName: (hash: string) => string | undefined,
): void {
  const methods = client as unknown as Record<string, Command | undefined>;
  for (const command of client.getBuiltinCommands()) {
    const send = methods[command];
    if (send === undefined) continue;
    methods[command] = (...args) => {
      if (tracing.traceparent() === null) return send.apply(client, args);
      const script = typeof args[0] === 'string' ? scriptName(args[0]) : undefined;
      return tracing.step(
        script === undefined ? command : `${command} ${script}`,
        {
          kind: 'client',
          attributes: {
            'db.system.name': 'redis',
            'db.operation.name': command,
            ...(script === undefined ? {} : { 'db.stored_procedure.name': script }),
          },
        },
        () => Promise.resolve(send.apply(client, args)),
      );
    };
  }
}
