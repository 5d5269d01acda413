import { status, type Client } from '@grpc/grpc-js';
import { VersionServiceService } from '@placard/protos/version/v1/version.js';
import type { ExchangeVersionsResponse } from '@placard/protos/version/v1/version.js';
import type { Scope } from '../scope.js';
import type { Handlers } from './definitions.js';
import { peerVersionsOf } from './peer-versions.js';
import type { ImplementedService } from './server.js';

/** Between two exchanges with one peer, and between two tries before the first answer, in milliseconds. */
const EXCHANGE_INTERVAL_MS = 10_000;
const FIRST_INTERVAL_MS = 1_000;
const ANSWER_MS_MAX = 1_000;

/** The service that tells callers this process's version and hears theirs. */
export function versionService(scope: Scope): ImplementedService {
  const versions = peerVersionsOf(scope);
  const handlers: Handlers<VersionServiceService> = {
    exchangeVersions({ version }) {
      if (version !== undefined) versions.hear(version.name, version);
      return Promise.resolve({ version: versions.own });
    },
  };
  return { definition: VersionServiceService, handlers };
}

/**
 * Exchanges versions with a peer for the life of the scope, apart from its other calls. Of several clients of one peer the
 * first does it. Behind a name with several addresses each exchange reaches the next of them.
 */
export function exchangeVersions(scope: Scope, channel: Client, peer: string): void {
  const versions = peerVersionsOf(scope);
  if (!versions.follow(peer)) return;
  const method = VersionServiceService.exchangeVersions;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const again = (ms: number): void => {
    if (!isClosed) timer = setTimeout(ask, ms).unref();
  };
  const ask = (): void => {
    channel.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      { version: versions.own },
      { deadline: Date.now() + ANSWER_MS_MAX },
      (error, response?: ExchangeVersionsResponse) => {
        const isAnswer = error === null || error.code === status.UNIMPLEMENTED;
        if (isAnswer && !isClosed) versions.hear(peer, response?.version ?? null);
        again(isAnswer ? EXCHANGE_INTERVAL_MS : FIRST_INTERVAL_MS);
      },
    );
  };
  ask();
  scope.onClose(`versions of ${peer}`, () => {
    isClosed = true;
    clearTimeout(timer);
  });
}
