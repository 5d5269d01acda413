import type { FrequencyCap, PlacementReward, WordList, WordOf } from './catalog-words.js';

declare const value: unique symbol;
/** Gives the compiler the type of a shape's values in memory. It does not exist at run time. */
interface Shaped<Value> {
  readonly [value]?: Value;
}

/** `true` or `false`. */
export interface FlagShape extends Shaped<boolean> {
  readonly is: 'flag';
}
/** Plain text of 1 to `charsMax` code points. */
export interface TextShape extends Shaped<string> {
  readonly is: 'text';
  readonly charsMax: number;
}
/** Text of a fixed form, which `wanted` describes. */
export interface PatternShape<Text extends string = string> extends Shaped<Text> {
  readonly is: 'pattern';
  readonly form: RegExp;
  readonly wanted: string;
}
/** One word of a closed list. The list is an enum on the wire. */
export interface WordShape<List extends WordList = WordList> extends Shaped<WordOf<List>> {
  readonly is: 'word';
  readonly list: List;
}
/** A whole number from `min` to `max`. */
export interface WholeShape extends Shaped<number> {
  readonly is: 'whole';
  readonly min: number;
  readonly max: number;
}
/** A number above zero and at most `max`. */
export interface PositiveShape extends Shaped<number> {
  readonly is: 'positive';
  readonly max: number;
}
/** Bounds of an amount in the file, in nano-units. `isZeroAllowed`: the lower bound, zero, is included. */
export interface AmountBounds {
  readonly isZeroAllowed: boolean;
  readonly maxNanos: bigint;
  readonly decimalsMax: number;
}
/**
 * A decimal amount in the file. In memory it is an amount in nano-units, the price of one impression in nano-units
 * (from a price of 1,000 impressions) or a share in basis points.
 */
export interface AmountShape<Unit extends AmountUnit = AmountUnit> extends Shaped<
  Unit extends 'basisPoints' ? number : bigint
> {
  readonly is: 'amount';
  readonly unit: Unit;
  readonly bounds: AmountBounds;
}
/** The unit of an amount in memory. */
export type AmountUnit = 'nanos' | 'costNanos' | 'basisPoints';
/** An instant with a zone in the file, epoch milliseconds in memory. */
export interface InstantShape extends Shaped<number> {
  readonly is: 'instant';
}
/** The address or path of a download, or the target of a click. */
export interface AddressShape extends Shaped<string> {
  readonly is: 'fileAddress' | 'clickAddress';
}
/** ISO 3166-1 alpha-2 in capitals. */
export interface CountryShape extends Shaped<string> {
  readonly is: 'country';
}
/** A language tag in the file. In memory it is the primary subtag in small letters. */
export interface LanguageShape extends Shaped<string> {
  readonly is: 'language';
}
/** `{ count, period }`. It is set and cleared as a whole. */
export interface CapShape extends Shaped<FrequencyCap> {
  readonly is: 'cap';
}
/** `{ item, amount, callback_url }`. It is set and cleared as a whole. */
export interface RewardShape extends Shaped<PlacementReward> {
  readonly is: 'reward';
}
/** The shape of the items of a list. */
export type ItemShape = TextShape | PatternShape | WordShape | WholeShape | CountryShape | LanguageShape;
/** A list of values of one shape, without repetition. */
export interface ListShape<Item extends ItemShape = ItemShape> extends Shaped<readonly ValueOf<Item>[]> {
  readonly is: 'list';
  readonly item: Item;
}

/**
 * The form of a field's values. Each shape has one place each for its validation, its conversion and its wire format.
 */
export type Shape =
  | ItemShape
  | FlagShape
  | PositiveShape
  | AmountShape
  | InstantShape
  | AddressShape
  | CapShape
  | RewardShape
  | ListShape;

/** The type of a shape's values in memory. */
export type ValueOf<S> = S extends Shaped<infer Value> ? Value : never;

/** A flag. Like the following constants, it is a shape without options. */
export const flag: FlagShape = { is: 'flag' };
export const instant: InstantShape = { is: 'instant' };
export const fileAddress: AddressShape = { is: 'fileAddress' };
export const clickAddress: AddressShape = { is: 'clickAddress' };
export const country: CountryShape = { is: 'country' };
export const language: LanguageShape = { is: 'language' };
export const cap: CapShape = { is: 'cap' };
export const reward: RewardShape = { is: 'reward' };

/** Plain text of 1 to `charsMax` code points. */
export function text(charsMax: number): TextShape {
  return { is: 'text', charsMax };
}

/** Text of a fixed form; `wanted` completes "must be …". */
export function pattern<Text extends string = string>(form: RegExp, wanted: string): PatternShape<Text> {
  return { is: 'pattern', form, wanted };
}

/** One word of a closed list. */
export function word<List extends WordList>(name: List): WordShape<List> {
  return { is: 'word', list: name };
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max: number): WholeShape {
  return { is: 'whole', min, max };
}

/** A number above zero and at most `max`. */
export function positive(max: number): PositiveShape {
  return { is: 'positive', max };
}

/** A decimal amount that is `unit` in memory. */
export function amount<Unit extends AmountUnit>(unit: Unit, bounds: AmountBounds): AmountShape<Unit> {
  return { is: 'amount', unit, bounds };
}

/** A list of values of one shape. */
export function list<Item extends ItemShape>(item: Item): ListShape<Item> {
  return { is: 'list', item };
}
