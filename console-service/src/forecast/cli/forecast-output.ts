import { toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';

type Forecast = Schemas['Forecast'];

const COLUMNS = ['day', 'requests', 'fills', 'impressions', 'spend'] as const;

/** A forecast as CSV, one row for each day. `subject`: the campaign, or the file of the plan. */
export function toForecastCsv(subject: string, { currency, days }: Forecast): string {
  return toCsv([
    ['subject', ...COLUMNS, 'currency'],
    ...days.map((day) => [subject, ...COLUMNS.map((name) => String(day[name])), currency]),
  ]);
}

/** A forecast as a table for people, with a total. */
export function toForecastTable(forecast: Forecast): string {
  const { days, total, history_days: historyDays, ignored, currency } = forecast;
  const rows = [...days, { day: 'total', ...total }];
  const notes = [
    `Rests on ${historyDays} days with matching requests.`,
    ...(ignored.length > 0 ? [`Too high: the history does not have ${ignored.join(', ')}.`] : []),
  ];
  const head = COLUMNS.map((name) => (name === 'spend' ? `spend ${currency}` : name));
  const table = textTable([head, ...rows.map((row) => COLUMNS.map((name) => String(row[name])))], 1);
  return `${table}${notes.map((note) => toLines(note)).join('')}`;
}
