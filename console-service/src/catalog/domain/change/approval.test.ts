import { expect } from 'chai';
import { EXAMPLE } from '../../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../../test/support/judge.js';

const stored = storedAfter(judge(EXAMPLE).changes);

/** Applies these fields to the example's approved creative. */
function change(fields: string) {
  return judge(
    `advertisers: [{ id: adv_northwind, campaigns: [{ id: cmp_spring, creatives: [{ id: cr_spring_banner, ${fields} }] }] }]`,
    stored,
  );
}

describe('an approved creative', () => {
  const CONTENT = {
    url: 'url: "https://cdn.example.com/other.png"',
    click_url: 'click_url: "https://shop.example.com/other"',
    type: 'type: video',
    width: 'width: 640',
    height: 'height: null',
  };
  for (const [name, field] of Object.entries(CONTENT)) {
    it(`is no longer approved when its ${name} changes, and a note says so`, () => {
      const { changes, notes, faults } = change(field);
      expect(faults).to.deep.equal([]);
      expect(changes[0]?.after).to.have.property('approved', false);
      expect(changes[0]?.details).to.include('approved: true → false');
      expect(notes).to.deep.equal([
        `advertisers[0].campaigns[0].creatives[0].approved: is false now, because ${name} of creative ` +
          'cr_spring_banner changed; review the creative, then set approved: true',
      ]);
    });

    it(`stays approved when its ${name} changes and the file sets approved beside it`, () => {
      const { changes, notes } = change(`${field}, approved: true`);
      expect(changes[0]?.after).to.have.property('approved', true);
      expect(notes).to.deep.equal([]);
    });
  }

  it('stays approved when the file gives the same values, and when something else changes', () => {
    expect(change('url: "https://cdn.example.com/spring-320x50.png", width: 320').changes).to.deep.equal([]);
    const video = storedAfter(judge(EXAMPLE.replace('type: image', 'type: video')).changes);
    const text =
      'advertisers: [{ id: adv_northwind, campaigns: [{ id: cmp_spring, creatives: [{ id: cr_spring_banner, duration_seconds: 9 }] }] }]';
    expect(judge(text, video).changes[0]?.after).to.have.property('approved', true);
  });

  it('loses nothing when it was not approved', () => {
    const unapproved = stored.map((object) =>
      object.kind === 'creative' ? { ...object, fields: { ...object.fields, approved: false } } : object,
    );
    const text =
      'advertisers: [{ id: adv_northwind, campaigns: [{ id: cmp_spring, creatives: [{ id: cr_spring_banner, width: 640 }] }] }]';
    expect(judge(text, unapproved)).to.deep.include({ notes: [], faults: [] });
  });
});
