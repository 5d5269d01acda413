import { androidMajor, primaryLanguage, readCountry } from '@placard/service-kit/pure';

/** What a person writes to describe the phone of a tried request. */
export interface TriedPhone {
  readonly country?: string;
  readonly language?: string;
  readonly android_version?: string;
  /** Such as `1080x2400`. */
  readonly screen?: string;
}

/** A value that the SDK API refuses, or would ignore. */
export interface PhoneFault {
  readonly field: keyof TriedPhone;
  readonly value: string;
  readonly detail: string;
}

/** Bound of the SDK API. */
const PIXELS_MAX = 20_000;

const SCREEN = /^(\d{1,5})x(\d{1,5})$/;

/** The checks of each field, with what is allowed. */
const CHECKS: Readonly<Record<keyof TriedPhone, readonly [(value: string) => boolean, string]>> = {
  country: [(value) => readCountry(value) !== null, 'is not a country of ISO 3166-1'],
  language: [(value) => primaryLanguage(value) !== null, 'must be a language, such as de or pt-BR'],
  android_version: [
    (value) => androidMajor(value) !== null,
    'must begin with a whole number of at most 4 digits, such as 14 or 8.1.0',
  ],
  screen: [
    (value) => readScreen(value) !== null,
    `must be a width and a height of 0 to ${PIXELS_MAX} pixels, such as 1080x2400`,
  ],
};

/** The faults of a phone, in the order of its fields. Contract: docs/contract/explanations.md#tried-requests. */
export function phoneFaults(phone: TriedPhone): readonly PhoneFault[] {
  const fields: readonly (keyof TriedPhone)[] = ['country', 'language', 'android_version', 'screen'];
  return fields.flatMap((field) => {
    const value = phone[field];
    const [isAllowed, detail] = CHECKS[field];
    return value === undefined || isAllowed(value) ? [] : [{ field, value, detail }];
  });
}

/** Width and height of a screen. Null: the text is not a screen that the SDK API takes. */
export function readScreen(text: string): { readonly width: number; readonly height: number } | null {
  const [, width, height] = SCREEN.exec(text)?.map(Number) ?? [];
  if (width === undefined || height === undefined || Math.max(width, height) > PIXELS_MAX) return null;
  return { width, height };
}
