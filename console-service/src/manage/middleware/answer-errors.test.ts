import { makeTestLog, makeTestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { answerErrors } from './answer-errors.js';

describe('faults of the management API', () => {
  it('are logged once for each operation, so that no operation hides those of another', () => {
    const { log, lines } = makeTestLog();
    const req = null as unknown as Request;
    const answer = answerErrors(makeTestScope({ log }));
    for (const operation of ['getReport', 'getReport', 'getHealth']) {
      // Its client has left, so nothing is sent.
      const res = { locals: { operation, requestId: 'req_a' }, destroyed: true };
      answer(new Error('a bug'), req, res as unknown as Response, () => undefined);
    }
    expect(lines).to.have.length(2);
  });
});
