import { AbstractConnector, type RedisOptions, type StandaloneConnectionOptions } from 'ioredis';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

/**
 * Makes a connector with TLS, in place of the client's own. That one sends no name of the server in the handshake, which
 * proxies of hosted stores need. Its sockets have no listener for a second error: a connection that is closed while its
 * certificate is refused would end the process. And a cluster does not say why its nodes cannot be reached; `onFault`
 * gets every such error.
 */
export function tlsConnector(onFault: (error: Error) => void): NonNullable<RedisOptions['Connector']> {
  return class TlsConnector extends AbstractConnector {
    readonly #options: StandaloneConnectionOptions;

    constructor(options: unknown) {
      const known = options as StandaloneConnectionOptions;
      super(known.disconnectTimeout ?? 0);
      this.#options = known;
    }

    connect(): Promise<TLSSocket> {
      const { host = '', port = 0, tls } = this.#options;
      const named = isIP(host) === 0 ? { servername: host } : {};
      // The copy reads the file of authorities again.
      const stream = connect({ host, port, ...named, ...tls });
      stream.on('error', (error: Error) => {
        this.firstError ??= error;
        onFault(error);
      });
      this.connecting = true;
      this.stream = stream;
      return Promise.resolve(stream);
    }
  };
}
