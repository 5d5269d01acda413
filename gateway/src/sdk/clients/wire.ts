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
 * Makes a function from a wire value to its name in the contract. A value without a name is a fault of the peer
 * (`server_error`).
 */
function namer<Code extends number, Name extends string>(
  what: string,
  fromWire: (code: Code) => Name | null,
) {
  return (code: Code): Name => {
    const name = fromWire(code);
    if (name === null) throw appError('server_error', `A peer sent the ${what} ${code}, which is not known.`);
    return name;
  };
}

/** The names of wire values in the contract. */
export const nameOf = {
  format: namer('format', adFormatFromWire),
  provider: namer('fallback provider', fallbackProviderFromWire),
  period: namer('cap period', capPeriodFromWire),
  creativeType: namer('creative type', creativeTypeFromWire),
  noFillReason: namer('no-fill reason', noFillReasonOnWire.fromWire),
  verdict: namer('verdict', eventVerdictOnWire.fromWire),
};
