import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { getVps } from '../../../src/hosting/endpoints/vps.ts';
import { catchHostingError, createClientHarness, peopleCall } from './client-harness.ts';
import { startTestHttpServer } from './test-servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const data = { vps_name: 'VPS-10001', state: 'läuft' };
const json = JSON.stringify({ success: true, data });

/** Creates a client whose service, or a proxy before it, compresses its responses. */
async function createClient(encoding: string, body: Buffer) {
  const server = await startTestHttpServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(body);
  });
  return createClientHarness(server.url);
}

test.each([
  ['gzip', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['br', brotliCompressSync(json)],
  ['identity', Buffer.from(json)],
])('a response is read although it is compressed with %s', async (encoding, body) => {
  const { client } = await createClient(encoding, body);
  expect(await client.call(getVps, vps, peopleCall)).toEqual(data);
});

test('a response that is too large once it is decompressed is not read', async () => {
  const { client } = await createClient('gzip', gzipSync(Buffer.alloc(9 * 1024 * 1024, 32)));
  const { code } = await catchHostingError(client.call(getVps, vps, peopleCall));
  expect(code).toBe('response_too_large');
});

test("a response that isn't what its encoding says is no JSON", async () => {
  const { client } = await createClient('gzip', Buffer.from('no gzip'));
  const { code } = await catchHostingError(client.call(getVps, vps, peopleCall));
  expect(code).toBe('response_not_json');
});
