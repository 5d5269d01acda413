import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { untilNothingHeld } from './held-money.js';

describe('held money after an overload', () => {
  let server: Server;
  let url = '';
  let answers: readonly string[] = [];

  before(async () => {
    let at = 0;
    server = createServer((_, response) => {
      response.end(answers[Math.min(at, answers.length - 1)]);
      at += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  });
  after(() => void server.close());

  it('is awaited until nothing is held, over all campaigns', async () => {
    const held = (one: number, other: number, overdue: number): string =>
      `placard_budget_held_money{campaign="a"} ${one}\nplacard_budget_held_money{campaign="other"} ${other}\nplacard_budget_overdue_leases ${overdue}\n`;
    answers = [held(2, 3.5, 0), held(0, 3.5, 4), held(0, 0, 0)];
    const { waitedSeconds, ...money } = await untilNothingHeld(url, 0, new AbortController().signal);
    expect(money).to.deep.equal({ atEnd: 5.5, left: 0, overdueLeases: 4, adSeconds: 0 });
    expect(waitedSeconds).to.be.above(0.9);
  });
});
