import { characterFault, httpsFault } from './https-address.js';

const MARKET = 'market://details?';
const INTENT = 'intent:';
/** Android's form: the data, then the parameters of the intent, then `end`. */
const INTENT_SHAPE = /^intent:([^#]*)#Intent;(?:([^#]*);)?end$/;
/** Data that is a path or begins with // and a host. Other data would contain a scheme. */
const DATA = /^(?:\/\/[^/?@[\]]*|(?!\/\/)[^:/?[\]]*)(?:[/?][^[\]]*)?$/;
/** Parameters that an intent may have. Android's others (component, SEL) select an internal component of an app. */
const PARAMETER =
  /^(action|category|type|identifier|launchFlags|package|scheme|sourceBounds|[SBbcdfils]\.[^=]+)=(.*)$/;
const PACKAGE = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const FALLBACK_KEY = 'browser_fallback_url';

/** Why a text is not a `market://details?…` address; null when it is one. */
export function marketFault(address: string): string | null {
  const fault = characterFault(address);
  if (fault !== null) return fault;
  const query = address.startsWith(MARKET) ? address.slice(MARKET.length) : '';
  return /^[^#[\]]+$/.test(query)
    ? null
    : `must be ${MARKET} and a query, such as ${MARKET}id=com.example.game`;
}

/**
 * Why a text is not an `intent:` address that a host app may start; null when it is one. It must name a package, so that
 * no other app answers. It must not have a component or selector, which would select an internal component of that app,
 * and no file. Its only fallback is an https page. Contract: docs/contract/catalog.md#addresses.
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
      return 'must not hold a scheme= of file or an invalid one';
    }
    if (key.slice(2) !== FALLBACK_KEY) continue;
    const fault = httpsFault(value);
    if (fault !== null) return `must hold a ${FALLBACK_KEY} of https; it ${fault}`;
  }
  return null;
}
