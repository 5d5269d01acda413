import { characterFault, httpsFault } from './https-address.js';

const MARKET = 'market://details?';
const INTENT = 'intent:';
/** Android's form: the data, then what the intent is, then `end`. */
const INTENT_SHAPE = /^intent:([^#]*)#Intent;(?:([^#]*);)?end$/;
/** Data that is a path or begins with // and a host: anything else would name its scheme itself. */
const DATA = /^(?:\/\/[^/?@[\]]*|(?!\/\/)[^:/?[\]]*)(?:[/?][^[\]]*)?$/;
/** Parameters that an intent may have; the others of Android (component, SEL) choose an inner part of an app. */
const PARAMETER =
  /^(action|category|type|identifier|launchFlags|package|scheme|sourceBounds|[SBbcdfils]\.[^=]+)=(.*)$/;
const PACKAGE = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const FALLBACK_KEY = 'browser_fallback_url';

/** Why a text is no `market://details?…`; null when it is one. */
export function marketFault(address: string): string | null {
  const fault = characterFault(address);
  if (fault !== null) return fault;
  const query = address.startsWith(MARKET) ? address.slice(MARKET.length) : '';
  return /^[^#[\]]+$/.test(query)
    ? null
    : `must be ${MARKET} and a query, such as ${MARKET}id=com.example.game`;
}

/**
 * Why a text is no `intent:` address that a host app may start; null when it is one: with a package, so that no other
 * app answers; without a component or selector, which would choose an inner part of that app; without files; and with a
 * page of https as the only way out. Contract: docs/contract/catalog.md#addresses.
 */
export function intentFault(address: string): string | null {
  const fault = characterFault(address);
  if (fault !== null) return fault;
  const [, data, listed] = INTENT_SHAPE.exec(address) ?? [];
  if (data === undefined || !DATA.test(data)) {
    return `must be of the form ${INTENT}//host/path#Intent;package=com.example.game;end`;
  }
  const parameters: (readonly [key: string, value: string])[] = [];
  for (const parameter of listed === undefined ? [] : listed.split(';')) {
    const [, key = '', value = ''] = PARAMETER.exec(parameter) ?? [];
    const read = key === '' ? null : decoded(key, value);
    if (read === null) return `must not hold the parameter ${parameter.slice(0, 64)}`;
    parameters.push(read);
  }
  return packageFault(parameters) ?? firstFault(parameters);
}

function decoded(key: string, value: string): readonly [key: string, value: string] | null {
  try {
    return [decodeURIComponent(key), decodeURIComponent(value)];
  } catch {
    return null;
  }
}

function packageFault(parameters: readonly (readonly [key: string, value: string])[]): string | null {
  const names = parameters.flatMap(([key, value]) => (key === 'package' ? [value] : []));
  return names.length === 1 && PACKAGE.test(names[0] ?? '')
    ? null
    : 'must hold package= once, with an Android application id';
}

function firstFault(parameters: readonly (readonly [key: string, value: string])[]): string | null {
  for (const [key, value] of parameters) {
    if (key === 'scheme' && (!SCHEME.test(value) || value.toLowerCase() === 'file')) {
      return 'must not hold a scheme= of file, or one that is none';
    }
    if (key.slice(2) !== FALLBACK_KEY) continue;
    const fault = httpsFault(value);
    if (fault !== null) return `must hold a ${FALLBACK_KEY} of https; it ${fault}`;
  }
  return null;
}
