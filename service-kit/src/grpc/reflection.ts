import type { handleBidiStreamingCall, MethodDefinition, Server, ServiceDefinition } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The two versions that tools use. */
const PATHS = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
] as const;

interface Method {
  readonly definition: MethodDefinition<unknown, unknown>;
  readonly handle: handleBidiStreamingCall<unknown, unknown>;
}

/**
 * Lets tools ask a running service for its contract: the descriptors from which the code was generated. They are read
 * at the first request, because they take 20 MB that most processes never need.
 */
export function addReflection(server: Server): void {
  let methods: ReadonlyMap<string, Method> | null = null;
  const methodAt = (path: string): Method => {
    methods ??= readMethods();
    const method = methods.get(path);
    if (method === undefined) throw new Error(`${path} is not known to the reflection library`);
    return method;
  };
  for (const path of PATHS) {
    const definition: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (value) => methodAt(path).definition.requestSerialize(value),
      requestDeserialize: (bytes) => methodAt(path).definition.requestDeserialize(bytes),
      responseSerialize: (value) => methodAt(path).definition.responseSerialize(value),
      responseDeserialize: (bytes) => methodAt(path).definition.responseDeserialize(bytes),
    };
    const handle: handleBidiStreamingCall<unknown, unknown> = (call) => methodAt(path).handle(call);
    server.addService({ ServerReflectionInfo: definition }, { ServerReflectionInfo: handle });
  }
}

/** The methods that the library would add to a server, by path. */
function readMethods(): ReadonlyMap<string, Method> {
  const image = createRequire(import.meta.url).resolve('@placard/protos/image.binpb');
  const descriptors = loadFileDescriptorSetFromBuffer(readFileSync(image), { longs: String, enums: String });
  const methods = new Map<string, Method>();
  const recorder = {
    addService(service: ServiceDefinition, handlers: Readonly<Record<string, unknown>>): void {
      for (const [name, definition] of Object.entries(service))
        methods.set(definition.path, { definition, handle: handlers[name] as Method['handle'] });
    },
  };
  new ReflectionService(descriptors).addToServer(recorder);
  return methods;
}
