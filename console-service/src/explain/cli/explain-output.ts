import type { Schemas } from '../../manage/domain/operations.js';
import { counted } from '../../cli/counted.js';
import { toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';

type CampaignExplanation = Schemas['CampaignExplanation'];
type RequestExplanation = Schemas['RequestExplanation'];
type Candidate = Schemas['ExplainedCandidate'];
type Funnel = Schemas['Funnel'];

/** Digits of the judged share in the answer. */
const SAMPLED_DIGITS = 4;

/** The funnel of a campaign for a person. Steps without a lost request are left out. */
export function toCampaignTable(explained: CampaignExplanation): string {
  const head = `${explained.from} to ${explained.to}, as of ${explained.as_of}; ${sampleText(explained)}\n`;
  const hours = (explained.hours ?? []).map((hour) => `\n${hour.hour}\n${funnelTable(hour)}`);
  return `${head}${funnelTable(explained)}${hours.join('')}`;
}

/** The funnel of a campaign as CSV: one row for each step and total, and for each hour when they are asked for. */
export function toCampaignCsv(explained: CampaignExplanation): string {
  const { campaign, from, to, hours } = explained;
  const head = ['campaign', 'from', 'to', 'hour', 'step', 'requests', 'sampled', 'outbid_by'];
  const rowsOf = (hour: string, funnel: Funnel): string[][] =>
    [...funnel.steps.map(({ step, lost }) => [step, lost] as const), ...totalsOf(funnel)].map(
      ([step, count]) => [
        ...[campaign, from, to, hour, step, String(count), String(funnel.sampled ?? '')],
        step === 'outbid' ? rivalsOf(funnel) : '',
      ],
    );
  const rows = hours === undefined ? rowsOf('', explained) : hours.flatMap((one) => rowsOf(one.hour, one));
  return toCsv([head, ...rows]);
}

/** The explanation of a request for a person: one line for each campaign. */
export function toRequestTable(explained: RequestExplanation): string {
  const { at, app, placement, result, winner, currency, candidates, candidate_count: count } = explained;
  const won = winner === null ? '' : `, won by ${winner}`;
  const head = `${at}, ${app} ${placement}: ${result}${won}; amounts in ${currency}\n`;
  const names = ['campaign', 'price', 'lost at', 'cap', 'total budget', 'daily budget', 'why'];
  const rows = candidates.map((one) => [
    ...[one.campaign, one.price, one.lost_at ?? '-', capText(one)],
    partText(one.budget_total_left, one.budget_total),
    partText(one.budget_daily_left, one.budget_daily),
    one.why,
  ]);
  const left = count - candidates.length;
  const more = left > 0 ? `${counted(left, 'more campaign')} lost earlier or with a lower bid.\n` : '';
  return head + textTable([names, ...rows], names.length) + more;
}

/** The columns of a campaign in CSV. */
const CANDIDATE_COLUMNS: Readonly<Record<string, (one: Candidate) => string | number | null | undefined>> = {
  cap_used: ({ cap }) => cap?.used,
  cap_count: ({ cap }) => cap?.count,
  cap_period: ({ cap }) => cap?.period,
  budget_total_left: (one) => one.budget_total_left,
  budget_total: (one) => one.budget_total,
  budget_daily_left: (one) => one.budget_daily_left,
  budget_daily: (one) => one.budget_daily,
};

/** The explanation of a request as CSV: one row for each campaign. */
export function toRequestCsv(explained: RequestExplanation): string {
  const { request_id: requestId, at, result, winner, currency, app, placement } = explained;
  const head = ['request_id', 'at', 'result', 'winner', 'campaign', 'lost_at', 'why', 'price', 'currency'];
  const rows = explained.candidates.map((one) => [
    ...[requestId ?? '', at, result, winner ?? '', one.campaign, one.lost_at ?? '', one.why, one.price],
    ...[currency, app, placement],
    ...Object.values(CANDIDATE_COLUMNS).map((valueOf) => String(valueOf(one) ?? '')),
  ]);
  return toCsv([[...head, 'app', 'placement', ...Object.keys(CANDIDATE_COLUMNS)], ...rows]);
}

/** The used part of a cap: `1/3 day`. */
function capText({ cap }: Candidate): string {
  return cap === null ? '-' : `${partText(cap.used, cap.count)} ${cap.period}`;
}

/** A part beside its limit: `1/3`, `-/3` when it is unknown, and `-` without a limit. */
function partText(part: string | number | null, limit: string | number | null): string {
  return limit === null ? '-' : `${part ?? '-'}/${limit}`;
}

function sampleText({ sampled }: Funnel): string {
  if (sampled === null) return 'no lost request was judged';
  return `${Number((sampled * 100).toPrecision(SAMPLED_DIGITS))} % of the lost requests were judged`;
}

function funnelTable(funnel: Funnel): string {
  const steps = funnel.steps.filter(({ lost }) => lost > 0);
  const rows = [
    ...steps.map(({ step, lost }) => [step, String(lost), step === 'outbid' ? rivalsOf(funnel) : '']),
    ...totalsOf(funnel).map(([name, count]) => [name, String(count), '']),
  ];
  return textTable([['step', 'requests', 'outbid by'], ...rows], 1);
}

/** The campaigns that outbid it, with their counts. */
function rivalsOf(funnel: Funnel): string {
  return funnel.outbid_by.map(({ campaign, count }) => `${campaign} ${count}`).join(', ');
}

function totalsOf({
  candidates,
  fills,
  impressions,
  clicks,
}: Funnel): readonly (readonly [string, number])[] {
  return [
    ['candidates', candidates],
    ['fills', fills],
    ['impressions', impressions],
    ['clicks', clicks],
  ];
}
