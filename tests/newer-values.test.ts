import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listPaths, ROOT } from './tidy/source-files.js';

/** Rules for values that a reader does not know, by enum. */
const PAGE = 'docs/contract/newer-values.md';

/** What a file has that sends a value of a newer release. */
const NEWER = /\bNEWER\b|\b999\b|\b99 as never\b|of_a_newer_release/;

/** A test by its file and its title, as both stand in the repository. */
type TestName = readonly [file: string, title: string];

const GATEWAY = 'gateway/test/translation.test.ts';
const FRAUD = 'fraud-service/test/fraud-service.rpc.test.ts';
const EVENTS = 'events-service/test/app.test.ts';
const CATALOG = 'service-kit/src/catalog-reader/wire.test.ts';
const SESSION: TestName = [
  GATEWAY,
  'a session leaves out placements with an unknown format, and caps with an unknown period',
];
const NO_FILL: TestName = [
  GATEWAY,
  'an unknown no-fill reason and fallback provider of a newer service are `no_eligible_campaign` and `none`',
];

/** The tests of each row, by the cells of the row before the rule. */
const TESTS: Readonly<Record<string, readonly TestName[]>> = {
  '`NoFillReason` | reason of a no-fill': [NO_FILL],
  '`FallbackProvider` | fallback of a no-fill, or of a placement in a session': [NO_FILL, SESSION],
  '`EventVerdict` | verdict on an event': [[GATEWAY, '${path} answers every rejection with its status']],
  '`AdFormat`, `CreativeType` | of an ad': [
    [GATEWAY, 'an ad with an unknown ${field} of a newer service is a no-fill'],
  ],
  '`AdFormat` | of a placement in a session': [SESSION],
  "`CapPeriod` | of a placement's cap in a session": [SESSION],
  'an error code': [
    [
      'service-kit/test/wire-errors.test.ts',
      'is that of the peer, but server_error when its code is one of a newer release',
    ],
  ],
  '`AdFormat` | serving-service, in an ad request': [
    [
      'serving-service/test/serving.test.ts',
      'is refused for a format of a newer gateway, which no placement has',
    ],
  ],
  '`AdFormat` | fraud-service, in an impression': [
    [FRAUD, 'passes an event of a newer type, and judges a newer format as a full-screen one'],
  ],
  '`AdFormat` | events-service, in a count for reports': [
    [EVENTS, 'serving-service exchanges leases, reports what it counted and asks for the learned traffic'],
  ],
  '`AdFormat` | serving-service, in a traffic curve': [
    ['serving-service/test/serving-pace.test.ts', 'ignores invalid days of traffic'],
  ],
  '`AdFormat`, `CreativeType`, `FallbackProvider`, `CapPeriod`, `CampaignStatus`, `Pacing` | readers of the catalog':
    [
      [CATALOG, 'of a newer release is unknown but has its name: ${kind} with ${JSON.stringify(change)}'],
      [
        'service-kit/src/catalog-reader/open-catalog.test.ts',
        'leaves out objects of a newer release that it cannot read',
      ],
    ],
  '`ObjectKind` | readers of the catalog, in a deletion': [
    [CATALOG, 'of a kind of a newer release is unknown and has no name, deleted or not'],
  ],
  '`EventType` | fraud-service': [
    [FRAUD, 'passes an event of a newer type, and judges a newer format as a full-screen one'],
  ],
  '`FallbackReason` | events-service': [
    [EVENTS, 'a session token is not accepted as an impression token, nor the reverse'],
  ],
  '`FillFate` | serving-service': [
    [
      'serving-service/test/serving-caps.test.ts',
      'count fills that can still be shown, and shown fills for their period, but no suspicious fills',
    ],
  ],
  '`LeaseVerdict` | serving-service': [
    [
      'serving-service/src/clients/lease-wire.test.ts',
      'is no money for this campaign when it comes from a newer release',
    ],
  ],
  '`AccountKind` | console-service, in balances and statements': [
    [
      'console-service/test/accounts/ledger-cli.test.ts',
      'shows a kind of account of a newer events-service as `unknown`, in balances and statements',
    ],
  ],
  '`AccountKind`, `ReportKey` | events-service': [
    [
      'events-service/test/ledger/books.rpc.test.ts',
      'adjustments, statements and the check from the rows cross the wire',
    ],
    [EVENTS, 'serving-service exchanges leases, reports what it counted and asks for the learned traffic'],
  ],
  '`SuspiciousKey` | fraud-service': [
    [FRAUD, 'refuses to split suspicious events by a key of a newer console-service'],
  ],
};

describe('the rules for values of a newer release', () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8').split('\n');

  it('name every enum of the protos, and no other', () => {
    const enums = listPaths(join(ROOT, 'protos', 'placard'))
      .filter((path) => path.endsWith('.proto'))
      .flatMap((path) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^\s*enum (\w+) \{/gm)])
      .map(([, name]) => name);
    expect(enums.length).to.be.above(10);
    const rows = page.filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...row.slice(0, row.indexOf(' | ')).matchAll(/`(\w+)`/g)]);
    expect([...new Set(named.map(([, name]) => name))].sort()).to.deep.equal([...enums].sort());
  });

  it('have a test each, which sends an unknown value', () => {
    const rows = page
      .filter((line) => /^\| [^|]+ \| [^|]*\| [^|]+ \|$/.test(line) && !/^\| (?:-|enum|from )/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, 3)
          .map((cell) => cell.trim()),
      );
    const keys = rows.map((cells) => cells.filter((cell) => cell !== '').join(' | '));
    expect(Object.keys(TESTS)).to.have.members(keys);
    const untested = Object.entries(TESTS).flatMap(([row, names]) =>
      names.length > 0 && names.every(sendsNewerValue) ? [] : [row],
    );
    expect(untested).to.deep.equal([]);
  });
});

function sendsNewerValue([file, title]: TestName): boolean {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return ["'", '`', '"'].some((quote) => text.includes(`it(${quote}${title}${quote}`)) && NEWER.test(text);
}
