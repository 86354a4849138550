import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { catchHostingError, createClientHarness, peopleCall } from './client-harness.ts';
import { respond, startTestHttpServer, startTestSocketServer } from './test-servers.ts';

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

  test('when the connection breaks', async () => {
    const server = await startTestSocketServer((socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    );
    const { client } = await createClientHarness(server.url, { apiKey, keyHeader: 'x-api-key' });
    expect(written(await catchHostingError(client.call(performVpsAction, reboot, peopleCall)))).not.toContain(
      apiKey,
    );
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
