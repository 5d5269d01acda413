import {
  CAP_PERIODS,
  CATALOG_WORDS,
  isLanguage,
  readCountry,
  readPlainText,
  type AmountBounds,
  type PlacementReward,
  type Shape,
} from '@placard/service-kit/pure';
import { intentFault, marketFault } from './addresses/app-address.js';
import { callbackFault } from './addresses/callback-address.js';
import { demoFileFault, DEMO_PATH } from './addresses/demo-files.js';
import { amountText, NUMBER_DIGITS_MAX, plainDecimal, significantDigits } from './decimal.js';
import { readGivenAmount } from '../../domain/given-amount.js';
import { instantText, parseInstant } from '../../domain/instant.js';
import { httpsFault } from './addresses/https-address.js';
import { isRawList, isRawMap, NumberText, type RawValue } from './raw-value.js';

/** A frequency cap in the file. */
export interface CapValue {
  readonly count: number;
  readonly period: string;
}

/**
 * The normalized value of a field, as it is stored and compared: amounts as decimal texts, instants as ISO 8601 in UTC,
 * lists without repetition. Null: not set.
 */
export type FieldValue =
  null | boolean | number | string | readonly (string | number)[] | CapValue | PlacementReward;

/** Reports a fault of a value; `subPath` is the place inside it, such as `[2]` or `.count`. */
export type Report = (message: string, subPath?: string) => void;

/** Reads a value that is not null; undefined when a fault was reported. */
export type FieldType = (raw: RawValue, report: Report) => FieldValue | undefined;

/** Most items of a list in a field. */
const LIST_ITEMS_MAX = 1_000;
const URL_CHARS_MAX = 2_048;

/** The reader of a field with this shape. */
export function fieldTypeOf(shape: Shape): FieldType {
  switch (shape.is) {
    case 'flag':
      return flag;
    case 'text':
      return text(shape.charsMax);
    case 'pattern':
      return pattern(shape.form, shape.wanted);
    case 'word':
      return choice(CATALOG_WORDS[shape.list]);
    case 'whole':
      return whole(shape.min, shape.max);
    case 'positive':
      return positiveNumber(shape.max);
    case 'amount':
      return amount(shape.bounds);
    case 'instant':
      return instant;
    case 'fileAddress':
      return fileAddress;
    case 'clickAddress':
      return clickAddress;
    case 'country':
      return country;
    case 'language':
      return language;
    case 'cap':
      return frequencyCap;
    case 'reward':
      return reward;
    case 'list':
      return list(fieldTypeOf(shape.item));
  }
}

/** `true` or `false`, unquoted. */
const flag: FieldType = (raw, report) => {
  if (typeof raw === 'boolean') return raw;
  report('must be true or false');
  return undefined;
};

/** Normalized text of 1 to `charsMax` code points, see `readPlainText`. */
function text(charsMax: number): FieldType {
  return (raw, report) => {
    if (typeof raw !== 'string') {
      report(
        `must be text${raw instanceof NumberText || typeof raw === 'boolean' ? '; put it in quotes' : ''}`,
      );
      return undefined;
    }
    const read = readPlainText(raw, charsMax);
    if ('text' in read) return read.text;
    report(read.fault);
    return undefined;
  };
}

/** Text that matches a pattern; `wanted` describes the pattern. */
function pattern(shape: RegExp, wanted: string): FieldType {
  const asText = text(URL_CHARS_MAX);
  return (raw, report) => {
    const value = asText(raw, report);
    if (value === undefined || (typeof value === 'string' && shape.test(value))) return value;
    report(`must be ${wanted}`);
    return undefined;
  };
}

/** One of a few words. */
function choice(words: readonly string[]): FieldType {
  return (raw, report) => {
    if (typeof raw === 'string' && words.includes(raw)) return raw;
    report(`must be one of ${words.join(', ')}`);
    return undefined;
  };
}

/** A written number in plain decimal; undefined when it is not a number or too long to be exact. */
function numberText(raw: RawValue, report: Report, wanted: string): string | undefined {
  const decimal = raw instanceof NumberText ? plainDecimal(raw.text) : null;
  if (decimal === null) report(wanted);
  else if (significantDigits((raw as NumberText).text) > NUMBER_DIGITS_MAX) {
    report(
      `must not be a number of more than ${NUMBER_DIGITS_MAX} significant digits; write it as a text in quotes`,
    );
  } else return decimal;
  return undefined;
}

/** A whole number from `min` to `max`; `1080.0` is one. */
function whole(min: number, max: number): FieldType {
  const wanted = `must be a whole number from ${min} to ${max}`;
  return (raw, report) => {
    const decimal = numberText(raw, report, wanted);
    if (decimal === undefined) return undefined;
    const value = Number(decimal);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    report(wanted);
    return undefined;
  };
}

/** A number above zero and at most `max`, such as a length in seconds. */
function positiveNumber(max: number): FieldType {
  const wanted = `must be a number above 0 and at most ${max}`;
  return (raw, report) => {
    const decimal = numberText(raw, report, wanted);
    if (decimal === undefined) return undefined;
    const value = Number(decimal);
    if (value > 0 && value <= max) return value;
    report(wanted);
    return undefined;
  };
}

/** An amount of money or a share: a decimal number or text, never rounded. */
function amount(bounds: AmountBounds): FieldType {
  const wanted = `must be a decimal amount such as 2.50 with at most ${bounds.decimalsMax} decimals`;
  return (raw, report) => {
    const decimal = typeof raw === 'string' ? raw : numberText(raw, report, wanted);
    if (decimal === undefined) return undefined;
    const nanos = readGivenAmount(decimal, bounds.decimalsMax);
    if (nanos === null) report(wanted);
    else if (nanos <= 0n && !bounds.isZeroAllowed) report('must be above zero');
    else if (nanos < 0n) report('must not be negative');
    else if (nanos > bounds.maxNanos)
      report(`must be at most ${amountText(bounds.maxNanos).replace('.00', '')}`);
    else return amountText(nanos);
    return undefined;
  };
}

/** An instant with a zone, stored in UTC. */
const instant: FieldType = (raw, report) => {
  const atMs = typeof raw === 'string' ? parseInstant(raw) : null;
  if (atMs !== null) return instantText(atMs);
  report('must be a date and time with a zone, such as 2026-01-01T00:00:00Z');
  return undefined;
};

/** A beginning of addresses, with the check for it. */
type AddressKind = readonly [begin: string, faultOf: (address: string) => string | null];

const HTTPS: AddressKind = ['https://', httpsFault];

/** The address of a creative's file: `https://…` or the path of a demo file, kept unchanged. */
export const fileAddress: FieldType = address([HTTPS, [DEMO_PATH, demoFileFault]]);

/** The target of a click: `https://…`, `market://details?…` or `intent:…`, kept unchanged. */
export const clickAddress: FieldType = address([
  HTTPS,
  ['market://details?', marketFault],
  ['intent:', intentFault],
]);

function address(kinds: readonly AddressKind[]): FieldType {
  const wanted = `must be an address that begins with ${kinds.map(([begin]) => begin).join(' or ')}`;
  return (raw, report) => {
    const written = typeof raw === 'string' ? raw : '';
    const faultOf = kinds.find(([begin]) => written.startsWith(begin))?.[1];
    if (faultOf === undefined) report(wanted);
    else if (written.length > URL_CHARS_MAX) report(`must have at most ${URL_CHARS_MAX} characters`);
    else {
      const fault = faultOf(written);
      if (fault === null) return written;
      report(fault);
    }
    return undefined;
  };
}

/** A country, ISO 3166-1 alpha-2, stored in capitals. */
const country: FieldType = (raw, report) => {
  const code = typeof raw === 'string' ? readCountry(raw) : null;
  if (code !== null) return code;
  report('must be a country code of ISO 3166-1 alpha-2, such as US');
  return undefined;
};

/** A language tag, kept unchanged. */
const language: FieldType = (raw, report) => {
  if (typeof raw === 'string' && isLanguage(raw)) return raw;
  report('must be a language such as en or pt-BR');
  return undefined;
};

/** A list of values of one type. Repetitions are dropped; null items are refused. */
function list(item: FieldType): FieldType {
  return (raw, report) => {
    if (!isRawList(raw)) {
      report('must be a list');
      return undefined;
    }
    if (raw.length > LIST_ITEMS_MAX) {
      report(`must have at most ${LIST_ITEMS_MAX} items`);
      return undefined;
    }
    const items = raw.map((each, index) =>
      item(each, (message, sub) => report(message, `[${index}]${sub ?? ''}`)),
    );
    if (items.includes(undefined)) return undefined;
    return [...new Set(items as (string | number)[])];
  };
}

const COUNT_MAX = 1_000_000;
const ITEM_CHARS_MAX = 64;

/** `{ count, period }`, set and cleared as a whole. */
const frequencyCap: FieldType = mapping<CapValue>({
  count: whole(1, COUNT_MAX),
  period: choice(CAP_PERIODS),
});

/** `{ item, amount, callback_url }`, set and cleared as a whole. */
const reward: FieldType = mapping<PlacementReward>({
  item: text(ITEM_CHARS_MAX),
  amount: whole(1, COUNT_MAX),
  callback_url: address([['https://', callbackFault]]),
});

/** A mapping that has each of these parts and no other. */
function mapping<Value extends CapValue | PlacementReward>(
  parts: Readonly<Record<keyof Value & string, FieldType>>,
): FieldType {
  const types = new Map(Object.entries<FieldType>(parts));
  const wanted = `must be { ${[...types.keys()].join(', ')} } or null`;
  return (raw, report) => {
    if (!isRawMap(raw)) {
      report(wanted);
      return undefined;
    }
    const unknown = [...raw.keys()].filter((key) => !types.has(key));
    for (const key of unknown) report('unknown key', `.${key}`);
    const values = [...types].map(([key, type]) => {
      const value = part(raw.get(key), type, (message, subPath) =>
        report(message, `.${key}${subPath ?? ''}`),
      );
      return [key, value] as const;
    });
    if (unknown.length > 0 || values.some(([, value]) => value === undefined)) return undefined;
    return Object.fromEntries(values) as unknown as Value;
  };
}

function part(raw: RawValue | undefined, type: FieldType, report: Report): FieldValue | undefined {
  if (raw !== undefined) return type(raw, report);
  report('is required');
  return undefined;
}
