import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

/**
 * Connects the sandbox wherever this process opens a TLS connection to Slack. Covers `fetch`,
 * `node:https`, axios, undici and WebSockets, because all of them use `tls.connect`.
 */
export function redirectConnections(sandboxUrl: URL): void {
  tls.connect = new Proxy(tls.connect, {
    apply(connectSecurely, self, args: readonly unknown[]) {
      const options = readOptions(args);
      const isRedirected = !options.socket && isSlackHost(options.host);
      return isRedirected
        ? connectToSandbox(sandboxUrl, args.find(isListener))
        : Reflect.apply(connectSecurely, self, args);
    },
  });
  // Makes the change visible to modules that import `connect` by name.
  syncBuiltinESMExports();
}

/** Returns the options among the arguments of `tls.connect`. A port and a host can come before them. */
function readOptions(args: readonly unknown[]): tls.ConnectionOptions {
  const host = args.find((arg) => typeof arg === 'string');
  const options = args.find((arg) => typeof arg === 'object' && arg !== null) ?? {};
  return { ...(host !== undefined && { host }), ...options };
}

function isListener(value: unknown): value is () => void {
  return typeof value === 'function';
}

function isSlackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:[^/]+\.)?slack\.com$/i.test(host);
}

/** Opens a plain connection that has the properties of a TLS connection which clients look at. */
function connectToSandbox(url: URL, onSecure: (() => void) | undefined): tls.TLSSocket {
  const socket = net.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) });
  const secure = Object.assign(socket, {
    encrypted: true,
    authorized: true,
    alpnProtocol: false,
    getPeerCertificate: () => ({}),
    getSession: () => undefined,
    isSessionReused: () => false,
  });
  secure.once('connect', () => secure.emit('secureConnect'));
  if (onSecure) secure.once('secureConnect', onSecure);
  return asTlsSocket(secure);
}

/** The socket lacks most properties of a TLS socket, but has all those that clients use. */
function asTlsSocket(socket: net.Socket): tls.TLSSocket {
  return socket as tls.TLSSocket;
}
