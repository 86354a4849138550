import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readStartFlags, signSlashCommand, startBenchEnvironment } from './bench-environment.ts';
import { bundleApp } from './bundle-apps.ts';
import { percentile, printTable } from './statistics.ts';

const connectionCounts = [0, 300, 1_000, 2_000];
const commandCount = 100;
const commandIntervalMs = 100;

/** The start of a request that never ends: in the headers, or in the body behind a forged signature. */
const beginnings = [
  'POST /slack/events HTTP/1.1\r\nhost: rackhand\r\n',
  `POST /slack/events HTTP/1.1\r\nhost: rackhand\r\ncontent-type: application/json\r\ncontent-length: 900000\r\nx-slack-signature: v0=${'0'.repeat(64)}\r\nx-slack-request-timestamp: NOW\r\n\r\n${'x'.repeat(800)}`,
];

/** Keeps a number of slow connections open. A connection that the server closes is opened again. */
function openSlowConnections(port: number, count: number): () => void {
  let isOpen = true;
  const sockets = new Set<Socket>();
  const open = (index: number) => {
    if (!isOpen) return;
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    const beginning = beginnings[index % beginnings.length] ?? '';
    socket.write(beginning.replace('NOW', String(Math.floor(Date.now() / 1_000))));
    const drip = setInterval(() => socket.write('x'), 2_000);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(drip);
        sockets.delete(socket);
        setTimeout(open, 100, index);
      });
  };
  for (let index = 0; index < count; index += 1) open(index);
  return () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
}

/** Measures acks of signed commands, each on a new connection, beside slow connections without a signature. */
export async function benchSlowConnections(): Promise<void> {
  const environment = await startBenchEnvironment(() => undefined);
  const rows: string[][] = [];
  for (const count of connectionCounts) {
    const app = await environment.start(await bundleApp('rackhand-app'), readStartFlags());
    const beforeMb = app.residentMb();
    const close = openSlowConnections(app.port, count);
    await delay(2_000);
    const ackMs: number[] = [];
    let peakMb = 0;
    for (let index = 0; index < commandCount; index += 1) {
      const id = `slow.${app.port}.${index}`;
      const { body, headers } = signSlashCommand('help', { id, responseUrl: environment.responseUrl(id) });
      const sentMs = performance.now();
      const response = await fetch(`http://127.0.0.1:${app.port}/slack/events`, {
        method: 'POST',
        headers: { ...headers, connection: 'close' },
        body,
      }).catch(() => undefined);
      if (response?.ok) ackMs.push(performance.now() - sentMs);
      peakMb = Math.max(peakMb, app.residentMb());
      await delay(commandIntervalMs);
    }
    close();
    await app.kill();
    rows.push([
      String(count),
      `${ackMs.length} of ${commandCount}`,
      ackMs.length > 0 ? percentile(ackMs, 0.5).toFixed(1) : '-',
      ackMs.length > 0 ? percentile(ackMs, 0.99).toFixed(1) : '-',
      beforeMb.toFixed(0),
      peakMb.toFixed(0),
    ]);
  }
  await environment.close();
  console.log('\nSigned commands beside slow connections without a signature');
  printTable(['slow', 'acknowledged', 'ack p50, ms', 'ack p99', 'MB before', 'MB at most'], rows);
}

if (import.meta.main) await benchSlowConnections();
