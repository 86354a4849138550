import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detachIpv4Address, listIpv4Addresses } from '../../src/hosting/endpoints/ip-addresses.ts';
import { getRrdMonitoring } from '../../src/hosting/endpoints/monitoring.ts';
import { createSnapshot, restoreSnapshot } from '../../src/hosting/endpoints/snapshots.ts';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import { createDomain, deleteDomain } from '../../src/hosting/endpoints/webgate.ts';
import { createCalling, failureOf, people, startCalling } from './calling.ts';
import { respond, startHttpServer } from './servers.ts';

const startServer = () => startHttpServer((response) => respond(response, 200));

describe('the key', () => {
  test('is sent as a bearer token, and in no other header', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url, { apiKey: 'key-1' });
    await client.call(
      performVpsAction,
      { params: { vps_name: 'VPS-1' }, body: { action: 'reboot' } },
      people,
    );
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer key-1' });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('is sent as X-API-Key where a setting asks for that, and in no other header', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url, { apiKey: 'key-1', keyHeader: 'x-api-key' });
    await client.call(
      performVpsAction,
      { params: { vps_name: 'VPS-1' }, body: { action: 'reboot' } },
      people,
    );
    expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': 'key-1' });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each(['authorization', 'x-api-key'] as const)('is known to the service in %s', async (keyHeader) => {
    const { client } = await startCalling({ keyHeader, apiKey: 'sandbox-key-read' });
    expect((await client.call(getStatus, {}, people)).permissions).toContain('vps.read');
  });
});

describe('a request', () => {
  test('carries its body as JSON, with exactly the fields that the document names', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url);
    const body = { domain_name: 'www.exämple.com', vps_name: 'vps-10001' };
    await client.call(createDomain, { body }, people);
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/v1/services/webgate/domains' });
    expect(server.seen[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ ...body, vps_name: 'VPS-10001' });
  });

  test('of a route without a body has none', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url);
    await client.call(restoreSnapshot, { params: { vps_name: 'VPS-1', name: 'weekly' } }, people);
    expect(server.seen[0]).toMatchObject({ method: 'POST', body: '' });
    expect(server.seen[0]?.headers).toMatchObject({ 'content-length': '0' });
    expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
  });

  test('carries its query, without what was left out', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url);
    const params = { vps_name: 'VPS-1' };
    await client.call(getRrdMonitoring, { params, query: { range: 'week' } }, people);
    await client.call(getRrdMonitoring, { params, query: {} }, people);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/v1/vps/VPS-1/monitoring/rrd?range=week',
      '/v1/vps/VPS-1/monitoring/rrd',
    ]);
  });

  test.each([
    ['', '/v1/services/ip-addresses/ipv4'],
    ['/', '/v1/services/ip-addresses/ipv4'],
    ['/hosting/api//', '/hosting/api/v1/services/ip-addresses/ipv4'],
  ])('goes below the base URL, which ends with %j', async (ending, path) => {
    const server = await startServer();
    const { client } = await createCalling(server.url + ending);
    await client.call(listIpv4Addresses, {}, people);
    expect(server.seen[0]?.path).toBe(path);
  });

  test('that does not fit its declaration never leaves', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url);
    const call = client.call(createSnapshot, { params: { vps_name: 'web-1' }, body: { name: '' } }, people);
    await expect(call).rejects.toThrow('A VPS name looks like VPS-10001');
    expect(server.connections()).toBe(0);
  });
});

describe('a path that a setting brings', () => {
  const detach = { params: { id: 7 }, body: {} };

  test('takes the place of the default', async () => {
    const server = await startServer();
    const openPaths = { HOSTING_IP_IPV4_DETACH_PATH: '/v1/services/ip-addresses/{id}/remove' };
    const { client } = await createCalling(server.url, { openPaths });
    await client.call(detachIpv4Address, detach, people);
    expect(server.seen[0]?.path).toBe('/v1/services/ip-addresses/7/remove');
  });

  test.each(['/v1/detach', '/v1/{ip}/detach', '/v1/{id}/{other}', '/v1/{ id }/detach'])(
    'never sends a call to a place without what it is about: %s',
    async (path) => {
      const server = await startServer();
      const { client } = await createCalling(server.url, {
        openPaths: { HOSTING_IP_IPV4_DETACH_PATH: path },
      });
      await expect(client.call(detachIpv4Address, detach, people)).rejects.toMatchObject({
        code: 'setting_invalid',
        message: `HOSTING_IP_IPV4_DETACH_PATH must contain {id}, but is ${path}.`,
      });
      expect(server.connections()).toBe(0);
    },
  );
});

describe('a path parameter', () => {
  const hostile = [
    ...'. .. ../.. ./ / // \\ ..\\.. %2F %2e%2e % %% %zz ? # & ; a/../b name?x=1#y ~ + : @'.split(' '),
    ...'{name} $& $1 ü é 日本 👩‍💻 http://other.example/ \ud800 a\udc00b'.split(' '),
    ...[' ', '\t', '\n', '\r\nX-Injected: 1', '\0', '\u202e', '\ufeff', '\u2028'],
  ];
  const parameter = fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  );

  test('arrives exactly as it was given and stays under its route, or does not leave', async () => {
    const server = await startServer();
    const { client } = await createCalling(server.url);
    await fc.assert(
      fc.asyncProperty(parameter, async (name) => {
        const before = server.seen.length;
        const call = client.call(restoreSnapshot, { params: { vps_name: 'VPS-1', name } }, people);
        if (name === '.' || name === '..' || !name.isWellFormed()) {
          await expect(call).rejects.toMatchObject({ code: 'input_invalid' });
          expect(server.seen).toHaveLength(before);
          return;
        }
        await call;
        const [, segment] =
          /^\/v1\/vps\/VPS-1\/snapshots\/([^/?#]+)\/restore$/.exec(server.seen.at(-1)?.path ?? '') ?? [];
        expect(server.seen).toHaveLength(before + 1);
        expect(decodeURIComponent(segment ?? '')).toBe(name);
      }),
      { numRuns: 150, examples: hostile.map((name) => [name]) },
    );
  });

  test.each(['../../../me', '%2f', '%252e', 'a b', '日本/👩‍💻', '?x=1', '#', '{id}'])(
    'is what the service looks up: %s',
    async (domain_name) => {
      const { client } = await startCalling();
      const failure = await failureOf(client.call(deleteDomain, { params: { domain_name } }, people));
      expect(failure).toMatchObject({
        code: 'not_found',
        failure: { serviceMessage: `There is no domain ${domain_name}.` },
      });
    },
  );
});
