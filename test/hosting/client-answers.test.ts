import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSnapshot, listSnapshots } from '../../src/hosting/endpoints/snapshots.ts';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { getVps, performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import { createCalling, failureOf, people, startCalling } from './calling.ts';
import { respond, startHttpServer } from './servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };
const snapshot = { ...vps, body: { name: 'nightly' } };

/** Gives a client whose every call is answered so. */
async function answering(status: number, body?: unknown, headers?: Record<string, string>) {
  const server = await startHttpServer((response) => respond(response, status, body, headers));
  return { server, ...(await createCalling(server.url)) };
}

describe('the service fails', () => {
  test.each([500, 502, 503, 504, 599])('with %i', async (status) => {
    const { client, arm } = await startCalling();
    await arm({ fault: `status:${status}` });
    expect(await failureOf(client.call(createSnapshot, snapshot, people))).toMatchObject({
      code: 'service_failed',
      message: `The hosting service failed (${status}).`,
      failure: { fate: 'answered', status },
    });
  });

  test.each(['html', 'malformed', 'status:204'])('by an answer that is not JSON: %s', async (fault) => {
    const { client, arm } = await startCalling();
    await arm({ fault });
    expect(await failureOf(client.call(createSnapshot, snapshot, people))).toMatchObject({
      code: 'answer_not_json',
      failure: { fate: 'unknown' },
    });
  });

  test('by 304, which nobody asked for', async () => {
    const { client, arm } = await startCalling();
    await arm({ fault: 'status:304' });
    expect(await failureOf(client.call(getVps, vps, people))).toMatchObject({
      code: 'answer_unexpected',
      failure: { fate: 'answered', status: 304 },
    });
  });

  test.each([301, 302, 307, 308])(
    'by redirecting with %i, and the key does not go elsewhere',
    async (status) => {
      const elsewhere = await startHttpServer((response) => respond(response, 200));
      const { client } = await answering(status, '', { location: `${elsewhere.url}/v1` });
      expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject({
        code: 'answer_unexpected',
        message: `The hosting service answered with status ${status}, which its document does not show.`,
      });
      expect(elsewhere.connections()).toBe(0);
    },
  );
});

describe('an answer', () => {
  test.each([
    [
      { success: false, error: { message: 'Not today.' } },
      { fate: 'answered', serviceMessage: 'Not today.' },
    ],
    [{ success: false }, { fate: 'answered' }],
    [{ success: 'true', data: {} }, { fate: 'unknown' }],
    [{ success: 1, data: {} }, { fate: 'unknown' }],
    [{ data: { vps_name: 'VPS-10001' } }, { fate: 'unknown' }],
    [{}, { fate: 'unknown' }],
    [[], { fate: 'unknown' }],
    ['null', { fate: 'unknown' }],
    ['"success"', { fate: 'unknown', serviceMessage: 'success' }],
    ['true', { fate: 'unknown' }],
  ])('that does not say success is none: %j', async (body, failure) => {
    const { client } = await answering(200, body);
    const error = await failureOf(client.call(createSnapshot, snapshot, people));
    expect(error.code).toBe('answer_unsuccessful');
    expect(error.failure).toEqual({ status: 200, ...failure });
  });

  const documented = {
    version: 'v1',
    service: 'Hosting',
    timestamp: '2026-03-11T13:00:00+01:00',
    permissions: ['vps.read'],
  };

  test.each([
    ['version', { version: 1 }],
    ['timestamp', { timestamp: 'today' }],
    ['permissions', { permissions: 'all' }],
    ['permissions.0', { permissions: [{ name: 'vps.read' }] }],
    ['service', { service: undefined }],
  ])('must have what the document promises, such as data.%s', async (field, wrong) => {
    const { client } = await answering(200, { success: true, data: { ...documented, ...wrong } });
    expect(await failureOf(client.call(getStatus, {}, people))).toMatchObject({
      code: 'answer_unexpected',
      message: `The answer of the hosting service lacks what its document promises: data.${field}.`,
    });
  });

  test('may have more than the document promises, also permissions that it does not list', async () => {
    const data = { ...documented, permissions: ['vps.read', 'dns.read'], region: 'fra' };
    const { client } = await answering(200, { success: true, data, request_id: 'r-1' });
    expect(await client.call(getStatus, {}, people)).toEqual(data);
  });

  test('whose fields the document does not show is given as it came', async () => {
    const payload = fc.oneof(
      fc.dictionary(
        fc.string().filter((field) => field !== '__proto__'),
        fc.jsonValue(),
      ),
      fc.array(fc.jsonValue({ maxDepth: 2 })),
    );
    let data: unknown;
    const server = await startHttpServer((response) => respond(response, 200, { success: true, data }));
    const { client } = await createCalling(server.url);
    await fc.assert(
      fc.asyncProperty(payload, async (value) => {
        data = value;
        const expected: unknown = JSON.parse(JSON.stringify(value));
        expect(await client.call(listSnapshots, vps, people)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test.each([{ success: true }, { success: true, data: null }])(
    'without a payload is an empty one',
    async (body) => {
      const { client } = await answering(201, body);
      expect(await client.call(createSnapshot, snapshot, people)).toEqual({});
    },
  );
});
