import { loadText } from '@placard/service-kit/files';
import { AD_FORMATS, EVENT_TYPES, FALLBACK_REASONS } from '@placard/service-kit/pure';
import { expect } from 'chai';

describe('the table of events', () => {
  const sql = loadText(import.meta.url, '../../../migrations/001_create_events.sql');
  const lists: Readonly<Record<string, readonly string[]>> = {
    type: EVENT_TYPES,
    format: AD_FORMATS,
    fallback_reason: FALLBACK_REASONS,
  };
  for (const [column, words] of Object.entries(lists)) {
    it(`accepts in the column ${column} every value that services write there`, () => {
      const list = new RegExp(`CHECK \\(${column} IN \\((.*?)\\)\\)`).exec(sql)?.[1] ?? '';
      expect(list.split(', ')).to.have.members(words.map((word) => `'${word}'`));
    });
  }
});
