import type { Queryable } from '@placard/service-kit/postgres';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { makePgObjects } from '../../src/objects/store/objects.pg.js';
import type { ObjectPage, Objects } from '../../src/objects/store/objects.js';

const MIGRATIONS = { schema: 'catalog', dir: fileURLToPath(new URL('../../migrations', import.meta.url)) };
const PAGE: ObjectPage = {
  kind: 'campaign',
  id: null,
  parentId: null,
  grandparentId: null,
  nameBegin: null,
  status: null,
  isApproved: null,
  after: null,
  rowsMax: 50,
};
/** 100 advertisers with 100 campaigns each and a creative in every tenth. Every 1,000th campaign is paused. */
const FILL = [
  `INSERT INTO catalog.objects (kind, id, fields, version)
   SELECT 'advertiser', 'adv_' || n, jsonb_build_object('name', 'Advertiser ' || n, 'approved', n <> 7), 2
   FROM generate_series(1, 100) AS n`,
  `INSERT INTO catalog.objects (kind, id, parent_kind, parent_id, fields, version)
   SELECT 'campaign', 'cmp_' || lpad(n::text, 6, '0'), 'advertiser', 'adv_' || (n % 100 + 1),
     jsonb_build_object('name', 'Campaign ' || n, 'status', CASE WHEN n % 1000 = 0 THEN 'paused' ELSE 'active' END), 2
   FROM generate_series(1, 10000) AS n`,
  `INSERT INTO catalog.objects (kind, id, parent_kind, parent_id, fields, version)
   SELECT 'creative', 'cr_' || lpad(n::text, 6, '0'), 'campaign', 'cmp_' || lpad(n::text, 6, '0'),
     jsonb_build_object('approved', n % 1000 <> 0), 2
   FROM generate_series(10, 10000, 10) AS n`,
  'ANALYZE catalog.objects',
];
/** Of 11,100. */
const VISITED_ROWS_MAX = 250;

describe('pages of 10,000 campaigns', () => {
  let database: TestDatabase;
  let objects: Objects;
  before(async () => {
    database = await openTestDatabase({ migrations: [MIGRATIONS] });
    for (const statement of FILL) await database.pool.query(statement);
    objects = makePgObjects(database.pool);
  });
  after(() => database.drop());

  const idsOf = async (page: Partial<ObjectPage>): Promise<readonly string[]> =>
    (await objects.list({ ...PAGE, ...page })).rows.map(({ id }) => id);

  it('follow each other by id, until there is none', async () => {
    const first = await objects.list({ ...PAGE, rowsMax: 2 });
    expect(first.rows.map(({ id, version }) => [id, version])).to.deep.equal([
      ['cmp_000001', 2],
      ['cmp_000002', 2],
    ]);
    expect(first.next).to.equal('cmp_000002');
    expect(await idsOf({ after: first.next, rowsMax: 2 })).to.deep.equal(['cmp_000003', 'cmp_000004']);
    expect(await objects.list({ ...PAGE, after: 'cmp_009998', rowsMax: 2 })).to.have.property('next', null);
  });

  it('have only what the filters name', async () => {
    expect(await idsOf({ parentId: 'adv_2', rowsMax: 2 })).to.deep.equal(['cmp_000001', 'cmp_000101']);
    expect(await idsOf({ status: 'paused', rowsMax: 2 })).to.deep.equal(['cmp_001000', 'cmp_002000']);
    expect(await idsOf({ nameBegin: 'campaign 999', rowsMax: 3 })).to.deep.equal([
      'cmp_000999',
      'cmp_009990',
      'cmp_009991',
    ]);
    expect(await idsOf({ nameBegin: 'Campaign_1' }), 'no character is special').to.deep.equal([]);
    expect(await idsOf({ id: 'cmp_000007' })).to.deep.equal(['cmp_000007']);
    expect(await idsOf({ kind: 'advertiser', isApproved: false })).to.deep.equal(['adv_7']);
    const creatives = { kind: 'creative', grandparentId: 'adv_11', rowsMax: 2 } as const;
    expect(await idsOf(creatives)).to.deep.equal(['cr_000010', 'cr_000110']);
  });

  it(`are read by an index that visits at most ${VISITED_ROWS_MAX} rows for a page`, async () => {
    const pages: readonly Partial<ObjectPage>[] = [
      {},
      { after: 'cmp_009000' },
      { parentId: 'adv_50' },
      { status: 'paused', after: 'cmp_005000' },
      { nameBegin: 'campaign 99' },
      { nameBegin: 'campaign' },
      { nameBegin: 'campaign', after: 'cmp_009000', rowsMax: 200 },
      { nameBegin: 'campaign', status: 'paused' },
      { nameBegin: 'x' },
      { kind: 'creative', isApproved: false },
      { kind: 'creative', grandparentId: 'adv_11' },
    ];
    for (const page of pages) {
      const nodes = nodesOf(await planOf(database.pool, { ...PAGE, ...page }));
      const shown = JSON.stringify({ page, nodes });
      expect(
        nodes.map((node) => node['Node Type']),
        shown,
      ).not.to.include('Seq Scan');
      expect(Math.max(...nodes.map(visitedRowsOf)), shown).to.be.at.most(VISITED_ROWS_MAX);
    }
  });
});

/** A node of a plan with what it did. Rows are means of the loops. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The plan by which Postgres has read a page. */
async function planOf(pool: Queryable, page: ObjectPage): Promise<PlanNode> {
  let plan: PlanNode | undefined;
  const query = async (statement: string, values: readonly unknown[]): Promise<object> => {
    const sql = `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`;
    const { rows } = await pool.query<{ readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      sql,
      [...values],
    );
    plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return { rows: [] };
  };
  await makePgObjects({ query } as unknown as Queryable).list(page);
  return plan!;
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  const { Plans: inner = [], ...node } = plan;
  return [node, ...inner.flatMap(nodesOf)];
}

function visitedRowsOf(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
