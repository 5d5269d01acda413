import { appError } from '@placard/service-kit';
import {
  adFormatFromWire,
  capPeriodFromWire,
  creativeTypeFromWire,
  eventVerdictOnWire,
  fallbackProviderFromWire,
  noFillReasonOnWire,
} from '@placard/service-kit/wire';

/**
 * Makes a function from a wire value to its name in the contract, or to `newer` for a value of a newer release. Error
 * `server_error` for a value that is missing.
 */
function namer<Code extends number, Name extends string, Newer extends Name | null>(
  what: string,
  fromWire: (code: Code) => Name | null,
  newer: Newer,
) {
  return (code: Code): Name | Newer => {
    const name = fromWire(code);
    if (name !== null) return name;
    if (code === UNSPECIFIED) throw appError('server_error', `A peer sent no ${what}.`);
    return newer;
  };
}

const UNSPECIFIED: number = 0;

/** The names of wire values in the contract. Contract: docs/contract/newer-values.md#what-clients-get. */
export const nameOf = {
  /** Null: a format of a newer release. */
  format: namer('format', adFormatFromWire, null),
  provider: namer('fallback provider', fallbackProviderFromWire, 'none'),
  /** Null: a period of a newer release. */
  period: namer('cap period', capPeriodFromWire, null),
  /** Null: a type of a newer release. */
  creativeType: namer('creative type', creativeTypeFromWire, null),
  noFillReason: namer('no-fill reason', noFillReasonOnWire.fromWire, 'no_eligible_campaign'),
  verdict: namer('verdict', eventVerdictOnWire.fromWire, 'suspicious'),
};
