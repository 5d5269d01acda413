import { expect } from 'chai';
import { judge } from '../../../../test/support/judge.js';
import { exampleWith } from '../../../../test/support/catalog-text.js';
import { readHere } from '../../file/read-here.js';
import type { Fields } from '../catalog-object.js';
import { newCallbacks } from './new-callbacks.js';

const PATH = 'publishers[0].apps[0].placements[0].reward';
const REWARD = '{ item: coins, amount: 5, callback_url: https://game.example.com/a }';
const withReward = (reward: string, format = 'rewarded'): string =>
  exampleWith('reward: null', `reward: ${reward}`).replace('format: banner', `format: ${format}`);
const storedWith = (fields: Fields) => [
  { kind: 'placement' as const, id: 'app_sunrise_puzzle/home_banner', fields },
];
const newIn = (reward: string, fields: Fields = {}) =>
  newCallbacks(readHere(withReward(reward)).file?.objects ?? [], storedWith(fields));

describe('new callbacks of a file', () => {
  it('are the addresses that their placements do not have', () => {
    const url = 'https://game.example.com/a';
    const found = [{ path: `${PATH}.callback_url`, url }];
    expect(newIn(REWARD)).to.deep.equal(found);
    expect(newIn(REWARD, { reward: null })).to.deep.equal(found);
    expect(newIn(REWARD, { reward: { item: 'x', amount: 1, callback_url: `${url}b` } })).to.deep.equal(found);
    expect(newIn(REWARD, { reward: { item: 'x', amount: 1, callback_url: url } })).to.deep.equal([]);
    expect(newIn('null')).to.deep.equal([]);
  });
});

describe('the reward of a placement', () => {
  it('is stored as the file has it, with its number as a number', () => {
    const { changes, faults } = judge(
      withReward('{ callback_url: https://a.example/, amount: 5.0, item: coins }'),
    );
    expect(faults).to.deep.equal([]);
    const placement = changes.find(({ kind }) => kind === 'placement');
    const reward = { item: 'coins', amount: 5, callback_url: 'https://a.example/' };
    expect(JSON.stringify(placement?.after?.['reward'])).to.equal(JSON.stringify(reward));
  });

  for (const [reward, faults] of [
    ['coins', [`${PATH}: must be { item, amount, callback_url } or null`]],
    ['{ item: coins, amount: 5 }', [`${PATH}.callback_url: is required`]],
    [
      '{ item: "", amount: 0, callback_url: "https://10.0.0.1/" }',
      [
        `${PATH}.item: must not be empty`,
        `${PATH}.amount: must be a whole number from 1 to 1000000`,
        `${PATH}.callback_url: must name a host by its name and not by its address`,
      ],
    ],
    [
      '{ item: coins, amount: 5, callback_url: "https://a.example/", secret: x }',
      [`${PATH}.secret: unknown key`],
    ],
  ] as const)
    it(`is refused as ${reward}`, () => expect(judge(withReward(reward)).faults).to.deep.equal(faults));

  it('is refused on a placement that is not rewarded', () => {
    const text = withReward(REWARD, 'banner');
    expect(judge(text).faults).to.deep.equal([
      `${PATH}: is for rewarded placements only; leave it out or write null`,
    ]);
  });
});
