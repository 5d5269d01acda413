import { expect } from 'chai';
import { makeMarket, type PublisherEntry } from './market.js';
import { servedApps } from './served-apps.js';

describe('the apps that request ads', () => {
  const [publisher] = makeMarket(10).publishers as readonly [PublisherEntry];
  const [app] = publisher.apps;
  const namesOf = (changed: PublisherEntry): readonly string[] =>
    servedApps({ publishers: [changed] }).map(({ id }) => id);

  it('are all apps of a generated catalog', () => {
    expect(namesOf(publisher)).to.have.length(publisher.apps.length);
  });

  it('do not include apps that are switched off, by themselves or by their publisher', () => {
    const off = [{ approved: false }, { blocked: true }, { serving_enabled: false }].map((change) => ({
      ...app!,
      ...change,
    }));
    expect(namesOf({ ...publisher, apps: off })).to.deep.equal([]);
    expect(namesOf({ ...publisher, serving_enabled: false })).to.deep.equal([]);
  });

  it('request ads only for open placements', () => {
    const [first, second, third, fourth] = app!.placements;
    const placements = [
      { ...first!, paused: true },
      { ...second!, enabled: false },
      { ...third!, disabled_by_admin: true },
      fourth!,
    ];
    const [served] = servedApps({ publishers: [{ ...publisher, apps: [{ ...app!, placements }] }] });
    expect(served?.placements).to.deep.equal([fourth]);
  });
});
