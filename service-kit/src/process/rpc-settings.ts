import { ConfigError, env, readConfig, type ConfigOf } from './config.js';

/** The PEM files of a process: its certificate with its chain, its key, and the authorities that it trusts. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** How a process serves gRPC and calls others. */
export interface RpcSettings {
  /** Null: without TLS. */
  readonly tls: TlsFiles | null;
  /** Whether a server describes its contracts to tools. */
  readonly hasReflection: boolean;
}

/** Without TLS and with reflection. */
export const PLAIN_RPC: RpcSettings = { tls: null, hasReflection: true };

const SWITCH = ['0', '1'] as const;

/** The settings of gRPC, which every process has. */
export const rpcShape = {
  TLS_CERT_FILE: env.text().optional(),
  TLS_KEY_FILE: env.text().optional(),
  TLS_CA_FILE: env.text().optional(),
  REQUIRE_TLS: env.choice(SWITCH, '0'),
  GRPC_REFLECTION: env.choice(SWITCH, '1'),
};

/** Reads the settings of gRPC. Throws a `ConfigError`, also when `REQUIRE_TLS` is 1 and no files are named. */
export function readRpcSettings(environment: NodeJS.ProcessEnv): RpcSettings {
  return toRpcSettings(readConfig(rpcShape, environment));
}

/** Checks settings that were read by {@link rpcShape}. Throws a `ConfigError`. */
export function toRpcSettings(config: ConfigOf<typeof rpcShape>): RpcSettings {
  return { tls: toTlsFiles(config), hasReflection: config.GRPC_REFLECTION === '1' };
}

function toTlsFiles(config: ConfigOf<typeof rpcShape>): TlsFiles | null {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = config;
  if (certFile !== undefined && keyFile !== undefined && caFile !== undefined)
    return { certFile, keyFile, caFile };
  const missing = Object.entries({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile })
    .filter(([, file]) => file === undefined)
    .map(([name]) => name);
  const hasSome = missing.length < 3;
  if (!hasSome && config.REQUIRE_TLS === '0') return null;
  const why = hasSome ? 'the other TLS files are set' : 'REQUIRE_TLS is 1';
  throw new ConfigError(missing.map((name) => `${name}: is not set, and ${why}; name a PEM file`));
}
