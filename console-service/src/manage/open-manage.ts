import type { Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { CATALOG_APPLY_MS_MAX, HOUR_MS } from '@placard/service-kit/pure';
import type { Access } from '../access/open-access.js';
import { openHttpServer } from '../routes/http-server.js';
import type { ApiDocument } from './domain/api-document.js';
import type { ManageRoutes } from './domain/operations.js';
import { ANSWER_KEPT_MS } from './domain/repetition.js';
import { makeManageApp } from './routes/manage-app.js';
import { makePgAnswerStore } from './store/answer-store.pg.js';
import { makeAnswerOnce } from './usecase/answer-once.js';

/** What {@link openManage} needs. */
export interface ManageDeps {
  readonly pool: Pool;
  readonly access: Pick<Access, 'authenticate' | 'authorize' | 'noteForbidden'>;
  readonly routes: ManageRoutes;
}

/** Serves the management API until the scope closes; port 0: any free port. */
export async function openManage(
  scope: Scope,
  { pool, access, routes }: ManageDeps,
  at: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  const document = JSON.parse(loadText(import.meta.url, '../../openapi.json')) as ApiDocument;
  const store = makePgAnswerStore(pool);
  const { authenticate, authorize, noteForbidden } = access;
  keepRunning(scope, {
    name: 'removing answers that are no longer kept',
    intervalMs: HOUR_MS,
    run: () => store.removeBefore(scope.clock.now() - ANSWER_KEPT_MS),
  });
  const answerOnce = makeAnswerOnce({ store, clock: scope.clock, timers: scope.timers, log: scope.log });
  const app = makeManageApp(scope, {
    document,
    routes,
    authenticate,
    authorize,
    noteForbidden,
    answerOnce,
  });
  return openHttpServer(scope, app, { ...at, hasTls: true, requestMsMax: CATALOG_APPLY_MS_MAX });
}
