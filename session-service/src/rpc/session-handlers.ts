import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { asAppKey } from '@placard/service-kit/pure';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import type { StartSession } from '../usecase/start-session.js';
import { toStartSessionResponse } from './to-wire.js';

/** SessionService on the wire. Its errors are those of {@link StartSession}. */
export function implementSessionService(startSession: StartSession): ImplementedService {
  return implementService(SessionServiceService, {
    startSession({ appKey, packageName, testMode }) {
      const request = { appKey: asAppKey(appKey), packageName, isTestMode: testMode };
      return toStartSessionResponse(startSession(request));
    },
  });
}
