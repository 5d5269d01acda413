import type { Server } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Lets tools ask a running service for its contract: the same descriptors that the code was generated from. */
export function addReflection(server: Server): void {
  const image = createRequire(import.meta.url).resolve('@placard/protos/image.binpb');
  const definition = loadFileDescriptorSetFromBuffer(readFileSync(image), { longs: String, enums: String });
  new ReflectionService(definition).addToServer(server);
}
