import {
  ServerInterceptingCall,
  ServerListenerBuilder,
  type ServerInterceptor,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { appError, type AppError } from '../../process/errors.js';
import type { Scope } from '../../process/scope.js';
import { ruleOf } from '../call-table.js';
import { toStatus } from '../wire-errors.js';
import { keyRefusal, type CallKeys } from './call-keys.js';
import { callerNamedBy, type Caller } from './callers.js';
import { certificatesOf } from './certificates.js';
import { openRefusals, type NoteRefusal } from './refusals.js';

/** What a call is judged by: the certificate of its connection, or the key in its metadata. */
export type JudgedCall = Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext' | 'metadata'>;

/** Judges one method for one caller. Null: the caller may call it. A refusal is logged and counted. */
export type Refusals = (path: string) => AppError | null;

/** Judges the calls of a server: with TLS by {@link CALL_TABLE}, otherwise by its keys. */
export interface Gate {
  /** Judges each call of a server before its message is read, whatever its method is. */
  readonly interceptor: ServerInterceptor;
  /** Judges the calls that a call carries. */
  refusalsOf(call: JudgedCall): Refusals;
}

/** The gate of a server. Null: it has neither certificates nor keys, and whoever reaches it may call every method. */
export function gateOf(scope: Scope, keys: CallKeys): Gate | null {
  const note = scope.once(openRefusals);
  if (certificatesOf(scope) !== null) return makeGate(byCertificate(note));
  return Object.values(keys).every((key) => key === undefined) ? null : makeGate(byKey(note, keys));
}

function makeGate(refusalsOf: Gate['refusalsOf']): Gate {
  return { refusalsOf, interceptor: interceptorOf(refusalsOf) };
}

function byCertificate(note: NoteRefusal): Gate['refusalsOf'] {
  return (call) => {
    const caller = callerOf(call);
    return (path) => {
      const rule = ruleOf(path);
      if (!isNobody(caller) && rule?.callers.includes(caller) === true) return null;
      note(rule === undefined ? null : path, caller);
      return appError(
        'permission_denied',
        `${isNobody(caller) ? NOBODY[caller] : caller} may not call ${path}.`,
      );
    };
  };
}

function byKey(note: NoteRefusal, keys: CallKeys): Gate['refusalsOf'] {
  return ({ metadata }) =>
    (path) => {
      const refusal = keyRefusal(keys, path, metadata);
      if (refusal !== null) note(path, 'keyless');
      return refusal;
    };
}

const NOBODY = {
  none: 'A connection without a valid certificate',
  unknown: 'A certificate that names no service',
  several: 'A certificate that names several services',
} as const;

function isNobody(caller: Caller): caller is keyof typeof NOBODY {
  return caller in NOBODY;
}

function callerOf(call: JudgedCall): Caller {
  const certificate = call.getAuthContext().sslPeerCertificate;
  if (certificate === undefined) return 'none';
  return callerNamedBy(certificate.subjectaltname);
}

function interceptorOf(refusalsOf: Gate['refusalsOf']): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, pass) => {
          const refused = refusalsOf({ getAuthContext: () => call.getAuthContext(), metadata })(path);
          if (refused === null) pass(metadata);
          else call.sendStatus(toStatus(refused));
        });
        next(listener.build());
      },
    });
}
