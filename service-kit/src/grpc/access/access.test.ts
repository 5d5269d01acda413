import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { BatchServiceService } from '@placard/protos/batch/v1/batch.js';
import { CatalogServiceService } from '@placard/protos/catalog/v1/catalog.js';
import { DeliveryServiceService } from '@placard/protos/events/v1/delivery.js';
import { RewardServiceService } from '@placard/protos/events/v1/rewards.js';
import {
  EventsServiceService,
  LedgerServiceService,
  ReportServiceService,
  SpendServiceService,
  StoryServiceService,
} from '@placard/protos/events/v1/events.js';
import { ExplainServiceService, TryServiceService } from '@placard/protos/explain/v1/explain.js';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeTestAuthority, type KeyPair, type TestAuthority } from '../../testing/certificates.js';
import { makeTestLog, makeTestScope, type LogLine, type TestScope } from '../../testing/index.js';
import type { Definition, ImplementedService } from '../definitions.js';
import { openGrpcServer, type WritingPorts } from '../server.js';
import { CALL_TABLE, isOnWritePort, type CallRule } from '../call-table.js';
import { CALLERS, type CallerName } from './callers.js';

const DEFINITIONS: readonly Definition[] = [
  SessionServiceService,
  ServingServiceService,
  EventsServiceService,
  SpendServiceService,
  StoryServiceService,
  DeliveryServiceService,
  RewardServiceService,
  LedgerServiceService,
  ReportServiceService,
  ExplainServiceService,
  TryServiceService,
  FraudServiceService,
  CatalogServiceService,
];
const DAY_MS = 86_400_000;
const DEADLINE_MS = 5_000;
const OK: number = status.OK;
const PERMISSION_DENIED: number = status.PERMISSION_DENIED;
const FAILED_PRECONDITION: number = status.FAILED_PRECONDITION;
const NOTHING = Buffer.alloc(0);
const CARRIER = '/placard.batch.v1.BatchService/';
const asIs = (bytes: Buffer): Buffer => bytes;

/** A client's certificate, and what it is called in a title. */
interface Holder {
  readonly title: string;
  readonly caller: CallerName | null;
  readonly pair: () => Promise<KeyPair | null>;
}

/** `answered`, `refused`, or the status of another failure. */
type Outcome = 'answered' | 'refused' | `status ${number}`;

const outcomeOf = (code: number): Outcome => {
  if (code === OK) return 'answered';
  return code === PERMISSION_DENIED ? 'refused' : `status ${code}`;
};

/** Every service, with handlers that note their calls and answer with empty messages. */
function everyService(served: string[]): readonly ImplementedService[] {
  return DEFINITIONS.map((definition) => ({
    definition,
    handlers: Object.fromEntries(
      Object.entries(definition).map(([name, method]) => [
        name,
        () => {
          served.push(method.path);
          return Promise.resolve(method.responseStream ? undefined : method.responseDeserialize(NOTHING));
        },
      ]),
    ),
  }));
}

describe('calls with a certificate', () => {
  let folder: string;
  let authority: TestAuthority;
  let foreign: TestAuthority;
  let scope: TestScope;
  let ports: WritingPorts;
  let lines: readonly LogLine[];
  const served: string[] = [];
  const clients: Client[] = [];

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-access-'));
    authority = await makeTestAuthority();
    foreign = await makeTestAuthority('another authority');
    const tls = await authority.issueTo(folder, { names: ['events-service'] });
    const test = makeTestLog();
    ({ lines } = test);
    scope = makeTestScope({ rpc: { tls, hasReflection: true }, log: test.log });
    ports = await openGrpcServer(scope, {
      host: '127.0.0.1',
      port: 0,
      writePort: 0,
      services: everyService(served),
    });
    scope.health.register('all').set(true);
  });

  after(async () => {
    for (const client of clients) client.close();
    await scope.close();
    rmSync(folder, { recursive: true });
  });

  const issue = (names: readonly string[]) => () => authority.issue({ names });
  const past = { notBefore: Date.now() - 2 * DAY_MS, notAfter: Date.now() - DAY_MS };
  const holders: readonly Holder[] = [
    ...CALLERS.map((caller) => ({ title: `of ${caller}`, caller, pair: issue([`${caller}.placard.svc`]) })),
    { title: 'that is none', caller: null, pair: () => Promise.resolve(null) },
    {
      title: 'that has expired',
      caller: null,
      pair: () => authority.issue({ names: ['console-service'], ...past }),
    },
    {
      title: 'of another authority',
      caller: null,
      pair: () => foreign.issue({ names: ['console-service'] }),
    },
    { title: 'that names no service', caller: null, pair: issue(['billing-service']) },
    { title: 'that names two services', caller: null, pair: issue(['console-service', 'operator']) },
  ];

  /** A client of this port. It accepts the name of the server, which is not the subject here. */
  async function connect(holder: Holder, port: number): Promise<Client> {
    const pair = await holder.pair();
    const [key, cert] = pair === null ? [null, null] : [Buffer.from(pair.key), Buffer.from(pair.cert)];
    const client = new Client(
      `127.0.0.1:${port}`,
      credentials.createSsl(Buffer.from(authority.ca), key, cert, { checkServerIdentity: () => undefined }),
      { 'grpc.ssl_target_name_override': 'events-service', 'grpc.use_local_subchannel_pool': 1 },
    );
    clients.push(client);
    return client;
  }

  /** Sends one message on a stream and collects the answers. Every kind of method is the same on the wire. */
  function converse(client: Client, method: string, message: Buffer | null): Promise<[Outcome, Buffer[]]> {
    const answers: Buffer[] = [];
    const call = client.makeBidiStreamRequest(method, asIs, asIs, { deadline: Date.now() + DEADLINE_MS });
    return new Promise((resolve) => {
      call.on('data', (answer: Buffer) => {
        answers.push(answer);
        // The health of a server is watched for ever.
        if (method.endsWith('/Watch')) call.cancel();
      });
      call.on('error', ({ code }: ServiceError) =>
        resolve([code === status.CANCELLED ? 'answered' : outcomeOf(code), answers]),
      );
      call.on('status', ({ code }) => resolve([outcomeOf(code), answers]));
      if (message !== null) call.write(message);
      call.end();
    });
  }

  const mayCall = (holder: Holder, { callers }: CallRule): boolean =>
    holder.caller !== null && callers.includes(holder.caller);
  const carried = CALL_TABLE.filter(
    ({ path: method }) => method.startsWith('/placard.') && !method.startsWith(CARRIER),
  ).filter(({ path: method }) => !method.endsWith('/Watch'));
  const membersOf = (rules: readonly CallRule[]) =>
    rules.map(({ path: method }, index) => ({
      path: method,
      request: NOTHING,
      remainingMs: DEADLINE_MS,
      requestId: '',
      traceparent: '',
      id: index,
    }));

  for (const holder of holders) {
    describe(holder.title, () => {
      let plain: Client;
      let writing: Client;

      before(async () => {
        plain = await connect(holder, ports.port);
        writing = await connect(holder, ports.writePort);
      });

      it('are answered if the table allows them and refused otherwise, each alone', async () => {
        const actual: Record<string, Outcome> = {};
        const expected: Record<string, Outcome> = {};
        for (const rule of CALL_TABLE) {
          served.length = 0;
          const isReflection = rule.path.includes('reflection');
          const client = rule.isOnWritePort ? writing : plain;
          const [outcome] = await converse(client, rule.path, isReflection ? null : NOTHING);
          actual[rule.path] = outcome;
          expected[rule.path] = mayCall(holder, rule) ? 'answered' : 'refused';
          if (outcome === 'refused') expect(served, rule.path).to.deep.equal([]);
        }
        expect(actual).to.deep.equal(expected);
      });

      for (const [way, method, resultsOf] of [
        [
          'in frames',
          BatchServiceService.exchange,
          (bytes: Buffer) => BatchServiceService.exchange.responseDeserialize(bytes).results,
        ],
        [
          'in the messages of release 0.1.0',
          BatchServiceService.call,
          (bytes: Buffer) => BatchServiceService.call.responseDeserialize(bytes).results,
        ],
      ] as const) {
        it(`are answered if the table allows them and refused otherwise, ${way}`, async () => {
          for (const [client, rules] of [
            [plain, carried.filter((rule) => !rule.isOnWritePort)],
            [writing, carried.filter((rule) => rule.isOnWritePort)],
          ] as const) {
            served.length = 0;
            const members = membersOf(rules);
            const [outcome, answers] = await converse(
              client,
              method.path,
              method.requestSerialize({ members, abandoned: [] }),
            );
            const allowed = rules.filter((rule) => mayCall(holder, rule)).map((rule) => rule.path);
            expect(served).to.have.members(allowed);
            expect(outcome).to.equal(holder.caller === null ? 'refused' : 'answered');
            if (holder.caller === null) continue;
            const results = answers.flatMap(resultsOf);
            const outcomes = Object.fromEntries(
              results.map((result) => [rules[result.index]?.path ?? '', outcomeOf(result.status)]),
            );
            expect(outcomes).to.deep.equal(
              Object.fromEntries(
                rules.map((rule) => [rule.path, allowed.includes(rule.path) ? 'answered' : 'refused']),
              ),
            );
          }
        });
      }
    });
  }

  it('of methods that write are refused on the port of the others, alone and in frames, to each caller', async () => {
    const rules = CALL_TABLE.filter((rule) => isOnWritePort(rule.path));
    const holder = holders.find(({ caller }) => caller === 'console-service') as Holder;
    const client = await connect(holder, ports.port);
    served.length = 0;
    for (const rule of rules) {
      const [outcome] = await converse(client, rule.path, NOTHING);
      expect(outcome, rule.path).to.equal(`status ${FAILED_PRECONDITION}`);
    }
    const { path: exchange, requestSerialize, responseDeserialize } = BatchServiceService.exchange;
    const [, answers] = await converse(
      client,
      exchange,
      requestSerialize({ members: membersOf(rules), abandoned: [] }),
    );
    const results = answers.flatMap((bytes) => responseDeserialize(bytes).results);
    expect(results.map((result) => result.status)).to.deep.equal(rules.map(() => FAILED_PRECONDITION));
    expect(results[0]?.details).to.contain(`WRITE_GRPC_PORT (${ports.writePort})`);
    expect(served).to.deep.equal([]);
  });

  it('are refused with the reason when the certificate names no service, or several', async () => {
    for (const [title, who] of [
      ['that is none', 'A connection without a valid certificate'],
      ['that names no service', 'A certificate that names no service'],
      ['that names two services', 'A certificate that names several services'],
    ]) {
      const client = await connect(holders.find((holder) => holder.title === title) as Holder, ports.port);
      const { path: method } = CALL_TABLE[0]!;
      const details = await new Promise((resolve) => {
        client.makeUnaryRequest(method, asIs, asIs, NOTHING, (error) => resolve(error?.details));
      });
      expect(details).to.equal(`${who} may not call ${method}.`);
    }
  });

  it('are counted when they are refused, and logged once a minute for each method and caller', async () => {
    const method = 'LedgerService/ListBalances';
    const counted = async (): Promise<number> => {
      const metric = await scope.metrics.getSingleMetric('placard_rpc_refused_total')?.get();
      const mine = metric?.values.find(
        ({ labels }) => labels['method'] === method && labels['caller'] === 'gateway',
      );
      return mine?.value ?? 0;
    };
    const logged = (): number => lines.filter(({ msg }) => msg.startsWith('a call was refused')).length;
    const holder = holders.find(({ caller }) => caller === 'gateway') as Holder;
    const client = await connect(holder, ports.port);
    await converse(client, `/placard.events.v1.${method}`, NOTHING);
    const [before, linesBefore] = [await counted(), logged()];

    await converse(client, `/placard.events.v1.${method}`, NOTHING);
    expect(await counted()).to.equal(before + 1);
    expect(linesBefore).to.be.greaterThan(0);
    expect(logged()).to.equal(linesBefore);
  });
});
