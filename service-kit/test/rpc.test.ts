import { expect } from 'chai';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { implementService, openGrpcClient, openGrpcServer } from '../src/grpc/index.js';
import { appError } from '../src/process/errors.js';
import { makeTestScope } from '../src/testing/index.js';

describe('a call between services', () => {
  it('carries the request, the answer and an error with its code', async () => {
    const scope = makeTestScope();
    const { port } = await openGrpcServer(scope, {
      host: '127.0.0.1',
      port: 0,
      services: [
        implementService(FraudServiceService, {
          judgeAdRequest: (request) => Promise.resolve({ passes: request.atMs === 9_007_199_254_740_993n }),
          judgeEvents: () => {
            throw appError('conflict', 'Taken.', { cause: new Error('private') });
          },
          findSuspiciousEvents: () => Promise.resolve({ events: [] }),
          countSuspiciousEvents: () => Promise.resolve({ rows: [], rowsLeftOut: 0n }),
          recordSuspiciousEvents: () => Promise.resolve({}),
        }),
      ],
    });
    const client = openGrpcClient(scope, FraudServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'fraud-service',
    });
    const answer = await client.judgeAdRequest({
      sessionId: 's',
      requestId: 'r',
      atMs: 9_007_199_254_740_993n,
    });
    expect(answer).to.deep.equal({ passes: true });
    const failure: unknown = await client.judgeEvents({ events: [] }).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'conflict', publicText: 'Taken.' });
    await scope.close();
  });
});
