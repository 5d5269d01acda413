import { appError } from '@placard/service-kit';
import {
  adFormatFromWire,
  capPeriodFromWire,
  creativeTypeFromWire,
  eventVerdictOnWire,
  fallbackProviderFromWire,
  noFillReasonOnWire,
} from '@placard/service-kit/wire';

/** A name of the contract for a wire value; a value that has none is the peer's fault (`server_error`). */
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

/** Names of the contract for wire values. */
export const nameOf = {
  format: namer('format', adFormatFromWire),
  provider: namer('fallback provider', fallbackProviderFromWire),
  period: namer('cap period', capPeriodFromWire),
  creativeType: namer('creative type', creativeTypeFromWire),
  noFillReason: namer('no-fill reason', noFillReasonOnWire.fromWire),
  verdict: namer('verdict', eventVerdictOnWire.fromWire),
};
