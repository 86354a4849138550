import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';

const timeoutMs = 10_000;

/** Ports of syslog over TCP, and over TLS (RFC 5425). */
const defaultPorts = { 'tcp:': 514, 'tls:': 6514 };

/** Facility "log audit", severity "informational" (RFC 5424, section 6.2.1). */
const priority = 13 * 8 + 6;

/**
 * Creates a stream that sends each line as a syslog message (RFC 5424) to `tcp://` or `tls://`. The
 * certificate of the server is checked.
 */
export function createSyslogStream(url: string): (lines: readonly string[]) => Promise<void> {
  const { protocol, hostname: host, port } = new URL(url);
  const isTls = protocol === 'tls:';
  const target = {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port) || defaultPorts[isTls ? 'tls:' : 'tcp:'],
  };
  return (lines) => {
    const frames = lines.map((line) => frameMessage(formatMessage(line, new Date()))).join('');
    return sendAll(isTls ? connectTls({ ...target, servername: target.host }) : connect(target), frames);
  };
}

function formatMessage(line: string, time: Date): string {
  return `<${priority}>1 ${time.toISOString()} ${hostname()} rackhand ${process.pid} audit - ${line}`;
}

/** Puts the length before a message, so that it can contain any byte (RFC 6587, section 3.4.1). */
function frameMessage(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Sends everything, and waits until the server has read it and closed the connection. */
function sendAll(socket: Socket, data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the syslog server took too long')));
    socket.on('error', reject).on('close', () => resolve());
    // Syslog servers send nothing, but the end of a connection is noticed only while reading.
    socket.resume();
    socket.end(data);
  });
}
