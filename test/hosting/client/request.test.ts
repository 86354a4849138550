import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detachIpv4Address } from '../../../src/hosting/endpoints/ip-addresses.ts';
import { getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { createSnapshot, restoreSnapshot } from '../../../src/hosting/endpoints/snapshots.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { createDomain } from '../../../src/hosting/endpoints/webgate.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';
import {
  catchHostingError,
  createClientHarness,
  peopleCall,
  startSandboxClientHarness,
} from './client-harness.ts';
import { respond, startTestHttpServer, startTestSocketServer } from './test-servers.ts';

const startServer = () => startTestHttpServer((response) => respond(response, 200));

describe('the key', () => {
  test('is sent as a bearer token, and in no other header', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url, { apiKey: 'key-1' });
    await client.call(
      performVpsAction,
      { params: { vps_name: 'VPS-1' }, body: { action: 'reboot' } },
      peopleCall,
    );
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer key-1',
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^Rackhand\/\d/),
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('is sent as X-API-Key if configured, and in no other header', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url, { apiKey: 'key-1', keyHeader: 'x-api-key' });
    await client.call(
      performVpsAction,
      { params: { vps_name: 'VPS-1' }, body: { action: 'reboot' } },
      peopleCall,
    );
    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'key-1' });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each(['authorization', 'x-api-key'] as const)(
    'is accepted by the service in %s',
    async (keyHeader) => {
      const { client } = await startSandboxClientHarness({ keyHeader, apiKey: 'sandbox-key-read' });
      expect((await client.call(getStatus, {}, peopleCall)).permissions).toContain('vps.read');
    },
  );
});

describe('a request', () => {
  test('has a JSON body with exactly the documented fields', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url);
    const body = { domain_name: 'www.exämple.com', vps_name: 'vps-10001' };
    await client.call(createDomain, { body }, peopleCall);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/services/webgate/domains' });
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ ...body, vps_name: 'VPS-10001' });
  });

  test('of a route without a body has no body', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url);
    await client.call(restoreSnapshot, { params: { vps_name: 'VPS-1', name: 'weekly' } }, peopleCall);
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '' });
    expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '0' });
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test('has its query without omitted parameters', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url);
    const params = { vps_name: 'VPS-1' };
    await client.call(getRrdMonitoring, { params, query: { range: 'week' } }, peopleCall);
    await client.call(getRrdMonitoring, { params, query: {} }, peopleCall);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/vps/VPS-1/monitoring/rrd?range=week',
      '/v1/vps/VPS-1/monitoring/rrd',
    ]);
  });

  test('that does not match its declaration is not sent', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url);
    const call = client.call(
      createSnapshot,
      { params: { vps_name: 'web-1' }, body: { name: '' } },
      peopleCall,
    );
    await expect(call).rejects.toThrow('A VPS name looks like VPS-10001');
    expect(server.connections()).toBe(0);
  });
});

describe('a configured path', () => {
  const detach = { params: { id: 7 }, body: {} };

  test('replaces the default', async () => {
    const server = await startServer();
    const pathOverrides = { HOSTING_IP_IPV4_DETACH_PATH: '/v1/services/ip-addresses/{id}/remove' };
    const { client } = await createClientHarness(server.url, { pathOverrides });
    await client.call(detachIpv4Address, detach, peopleCall);
    expect(server.requests[0]?.path).toBe('/v1/services/ip-addresses/7/remove');
  });

  test.each(['/v1/detach', '/v1/{ip}/detach', '/v1/{id}/{other}', '/v1/{ id }/detach'])(
    'without its placeholder prevents the call: %s',
    async (path) => {
      const server = await startServer();
      const { client } = await createClientHarness(server.url, {
        pathOverrides: { HOSTING_IP_IPV4_DETACH_PATH: path },
      });
      await expect(client.call(detachIpv4Address, detach, peopleCall)).rejects.toMatchObject({
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
    fc.string({ minLength: 1, unit: anyCharacter }),
    fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  );

  test('arrives unchanged under its route, or is not sent', async () => {
    const server = await startServer();
    const { client } = await createClientHarness(server.url);
    await fc.assert(
      fc.asyncProperty(parameter, async (name) => {
        const before = server.requests.length;
        const call = client.call(restoreSnapshot, { params: { vps_name: 'VPS-1', name } }, peopleCall);
        if (name === '.' || name === '..' || !name.isWellFormed()) {
          await expect(call).rejects.toMatchObject({ code: 'input_invalid' });
          expect(server.requests).toHaveLength(before);
          return;
        }
        await call;
        const [, segment] =
          /^\/v1\/vps\/VPS-1\/snapshots\/([^/?#]+)\/restore$/.exec(server.requests.at(-1)?.path ?? '') ?? [];
        expect(server.requests).toHaveLength(before + 1);
        expect(decodeURIComponent(segment ?? '')).toBe(name);
      }),
      { numRuns: 150, examples: hostile.map((name) => [name]) },
    );
  });
});

const apiKey = 'live-4711-Zq8w-Xk3v-Pm9t';
const reboot = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };

/** Returns an error as text with message, stack, own fields and causes. */
function written(error: unknown): string {
  return inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null });
}

describe('the error of a call never contains the key', () => {
  test.each([
    [401, { error: { message: `The key ${apiKey} is not known.` } }],
    [403, { message: `Bearer ${apiKey}` }],
    [404, { error: `No route for ${apiKey}${apiKey}` }],
    [409, { errors: { authorization: [`Bearer ${apiKey}`] } }],
    [422, `"${apiKey}"`],
    [429, { message: apiKey }],
    [302, { message: apiKey }],
    [500, { error: { request: { headers: { authorization: apiKey } } } }],
    [503, `<html>${apiKey}</html>`],
    [200, `<html>${apiKey}</html>`],
    [200, { success: false, error: { message: apiKey } }],
    [200, { success: apiKey }],
    [200, { success: true, data: apiKey }],
    [200, { success: true, data: { [apiKey]: apiKey, permissions: [[apiKey]] } }],
  ])('when a service that answers %i repeats it in %j', async (status, body) => {
    const server = await startTestHttpServer((response) => {
      respond(response, status, body, { 'x-key': apiKey, location: `https://${apiKey}.example` });
    });
    const { client } = await createClientHarness(server.url, { apiKey });
    const isRead = typeof body === 'object' && 'data' in body;
    const call = isRead
      ? client.call(getStatus, {}, peopleCall)
      : client.call(performVpsAction, reboot, peopleCall);
    expect(written(await catchHostingError(call))).not.toContain(apiKey);
  });

  test('when the server echoes the request', async () => {
    const server = await startTestSocketServer((socket) => socket.pipe(socket));
    const { client } = await createClientHarness(server.url, { apiKey });
    const error = await catchHostingError(client.call(performVpsAction, reboot, peopleCall));
    expect(error.code).toBe('service_connection_lost');
    expect(written(error)).not.toContain(apiKey);
  });

  test('not even partly when the message of the service is cut', async () => {
    let message = '';
    const server = await startTestHttpServer((response) => respond(response, 409, { message }));
    const { client } = await createClientHarness(server.url, { apiKey });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 250, max: 310 }), async (lengthBefore) => {
        message = 'x'.repeat(lengthBefore) + apiKey;
        const { failure } = await catchHostingError(client.call(performVpsAction, reboot, peopleCall));
        expect(failure.serviceMessage).not.toContain(apiKey.slice(0, 4));
      }),
      { numRuns: 40 },
    );
  });
});
