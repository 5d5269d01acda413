import { expect } from 'chai';
import fc from 'fast-check';
import type { OperationId } from '../../src/manage/domain/operations.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { expectDocumented } from './answers.js';
import { OPERATIONS } from './api-document.js';
import { brokenRequests } from './broken-requests.js';
import { CATALOG, KNOWN_VALUES, makeKnownRequests, prepareAnswers } from './known-requests.js';
import { allowedRequests, send, write, type ApiAnswer, type WrittenRequest } from './requests.js';

/** The same requests at each run. */
const SEED = 20_261_130;
const RUNS = 8;
/** Requests that are refused change nothing, so several are sent at the same time. */
const SENDERS = 8;
/** Each refused login takes half a second. */
const RUNS_OF: Readonly<Record<string, number>> = { beginSession: 2 };
/** How the server says that a request does not fit the document. */
const UNFIT = ['The parameters are refused.', 'The body is refused.', 'The address cannot be read.'];
const UNFIT_STATUSES = [400, 405, 413, 415, 428];

/** Sends to a real console-service what its document allows, and what it does not. */
describe('the document of the management API', () => {
  let instance: TestConsole;
  let known: ReturnType<typeof makeKnownRequests>;
  before(async () => {
    instance = await openTestConsole();
    const applied = await instance.client.applyCatalog({ file: CATALOG, prune: false, onlyIfEmpty: false });
    expect(applied.faults).to.deep.equal([]);
    await prepareAnswers(instance);
    known = makeKnownRequests(instance.ports.managePort);
  });
  after(() => instance.close());

  const sent = (written: WrittenRequest): Promise<ApiAnswer> => send(instance.ports.managePort, written);
  const shown = (rule: string, { method, target, headers, body }: WrittenRequest): string =>
    `${rule}: ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${String(body).slice(0, 300)}`;

  for (const operation of OPERATIONS) {
    const { operationId } = operation;

    it(`says how ${operationId} answers when it succeeds`, async () => {
      const written = write(operation, await known(operationId as OperationId));
      const answer = await sent(written);
      expectDocumented(operation, answer, shown('known', written));
      expect(answer.status, answer.text).to.be.below(300);
    });

    it(`has only requests that ${operationId} can read`, async () => {
      const check = async (written: WrittenRequest): Promise<void> => {
        const what = shown('allowed', written);
        const answer = await sent(written);
        expectDocumented(operation, answer, what);
        expect(answer.status, what).not.to.be.oneOf(UNFIT_STATUSES);
        for (const text of UNFIT) expect(answer.text, what).not.to.include(text);
      };
      const requests = allowedRequests(operation, KNOWN_VALUES);
      await fc.assert(
        fc.asyncProperty(requests, (request) => check(write(operation, request))),
        { seed: SEED, numRuns: RUNS_OF[operationId] ?? RUNS },
      );
    });

    it(`has every rule by which ${operationId} judges the form of a request`, async () => {
      const [full] = fc.sample(allowedRequests(operation, KNOWN_VALUES, true), { seed: SEED, numRuns: 1 });
      const faults: string[] = [];
      const broken = [...brokenRequests(operation, full!)];
      const work = async (): Promise<void> => {
        for (let next = broken.pop(); next !== undefined; next = broken.pop()) {
          const { rule, written, statuses } = next;
          const answer = await sent(written);
          expectDocumented(operation, answer, shown(rule, written));
          if (!statuses.includes(answer.status))
            faults.push(`${shown(rule, written)}: ${answer.status} ${answer.text.slice(0, 200)}`);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, work));
      expect(faults).to.deep.equal([]);
    });
  }
});
