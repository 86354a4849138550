import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { type AuditStreamSettings, createAuditStreams } from '../../../src/audit/chain/audit-streams.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';

const directory = makeScratchDirectory('audit-streams');
const lines = ['{"seq":1,"operation":"reboot"}', '{"seq":2,"target":"büro\\n"}'];

function createStream(settings: AuditStreamSettings) {
  const [stream] = createAuditStreams(settings);
  if (!stream) throw new Error('there is no stream');
  return stream;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a file gets each line once, and only its owner can read it', async () => {
  const file = join(directory, 'audit.jsonl');
  const stream = createStream({ file });
  await stream(lines.slice(0, 1));
  await stream(lines.slice(1));
  expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a webhook gets signed lines, and its failure is one of the stream', async () => {
  const received: { body: string; signature: string }[] = [];
  let status = 500;
  const server = createServer(async (request, response) => {
    received.push({
      body: await text(request),
      signature: String(request.headers['rackhand-signature']),
    });
    response.writeHead(status).end();
  });
  const stream = createStream({
    webhook: { url: `http://127.0.0.1:${await listen(server)}/audit`, secret: 'sixteen-characters' },
  });
  await expect(stream(lines)).rejects.toThrow('answered 500');
  status = 204;
  await stream(lines);
  const [, time, hmac] = /^t=(\d+),v1=(\w+)$/.exec(received.at(-1)?.signature ?? '') ?? [];
  expect(received.at(-1)?.body).toBe(`${lines.join('\n')}\n`);
  expect(hmac).toBe(
    createHmac('sha256', 'sixteen-characters')
      .update(`${time}.${lines.join('\n')}\n`)
      .digest('hex'),
  );
});

test('a syslog server gets one framed message per line', async () => {
  const received: Promise<string>[] = [];
  const server = createTcpServer((socket) => void received.push(text(socket).finally(() => socket.end())));
  await createStream({ syslogUrl: `tcp://127.0.0.1:${await listen(server)}` })(lines);
  let rest = Buffer.from((await received[0]) ?? '');
  for (const line of lines) {
    const space = rest.indexOf(' ');
    const end = space + 1 + Number(rest.subarray(0, space));
    expect(rest.subarray(space + 1, end).toString()).toMatch(/^<110>1 \S+T\S+Z \S+ rackhand \d+ audit - \{/);
    expect(
      rest
        .subarray(space + 1, end)
        .toString()
        .endsWith(line),
    ).toBe(true);
    rest = rest.subarray(end);
  }
  expect(rest.length).toBe(0);
});

test('a syslog server that is down, or whose certificate is not trusted, gets the lines later', async () => {
  await expect(createStream({ syslogUrl: 'tcp://127.0.0.1:1' })(lines)).rejects.toThrow('ECONNREFUSED');
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const self = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'];
  execFileSync('openssl', [...self, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  let received = '';
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) =>
    socket.on('data', (data) => {
      received += data;
    }),
  );
  const syslogUrl = `tls://localhost:${await listen(server)}`;
  await expect(createStream({ syslogUrl })(lines)).rejects.toThrow('self-signed certificate');
  expect(received).toBe('');
});
