import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/proto-loader';
import { loadService } from '../generator/grpc-client.js';
import { answerOf } from './answers.js';

const SERVICES = [
  ['session', 'SessionService'],
  ['serving', 'ServingService'],
  ['events', 'EventsService'],
  ['events', 'SpendService'],
  ['fraud', 'FraudService'],
] as const;

const server = new Server();
for (const [folder, service] of SERVICES) {
  const definition = loadService(folder, service);
  server.addService(definition, handlersOf(definition));
}
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.send?.({ port });
});
process.on('disconnect', () => process.exit(0));

/** Handlers of all unary methods of the service. Methods without an answer in the table answer an empty message. */
function handlersOf(definition: ServiceDefinition) {
  const names = Object.entries(definition).filter(([, method]) => !method.responseStream);
  return Object.fromEntries(
    names.map(([name]) => [
      name,
      (call: ServerUnaryCall<object, object>, done: sendUnaryData<object>): void => {
        done(null, answerOf(name, call.request));
      },
    ]),
  );
}
