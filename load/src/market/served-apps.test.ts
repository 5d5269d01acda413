import { expect } from 'chai';
import { makeMarket, type PublisherEntry } from './market.js';
import { servedApps } from './served-apps.js';

describe('the apps that are asked for ads', () => {
  const [publisher] = makeMarket(10).publishers as readonly [PublisherEntry];
  const [app] = publisher.apps;
  const namesOf = (changed: PublisherEntry): readonly string[] =>
    servedApps({ publishers: [changed] }).map(({ id }) => id);

  it('are all of a made catalog', () => {
    expect(namesOf(publisher)).to.have.length(publisher.apps.length);
  });

  it('are not those that are switched off, nor those of a publisher that is', () => {
    const off = [{ approved: false }, { blocked: true }, { serving_enabled: false }].map((change) => ({
      ...app!,
      ...change,
    }));
    expect(namesOf({ ...publisher, apps: off })).to.deep.equal([]);
    expect(namesOf({ ...publisher, serving_enabled: false })).to.deep.equal([]);
  });

  it('are asked for the placements only that are open', () => {
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
