import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSnapshot, listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { listVlans } from '../../../src/hosting/endpoints/vlans.ts';
import { getVps, performVpsAction, resetRootPassword } from '../../../src/hosting/endpoints/vps.ts';
import { readVlans } from '../../../src/hosting/payloads/vlans.ts';
import {
  catchHostingError,
  createClientForResponse,
  createClientHarness,
  peopleCall,
  startSandboxClientHarness,
} from './client-harness.ts';
import { respond, startTestHttpServer } from './test-servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };
const snapshot = { ...vps, body: { name: 'nightly' } };

describe('the service fails', () => {
  test.each([500, 502, 503, 504, 599])('with %i', async (status) => {
    const { client, injectFault } = await startSandboxClientHarness();
    await injectFault({ fault: `status:${status}` });
    expect(await catchHostingError(client.call(createSnapshot, snapshot, peopleCall))).toMatchObject({
      code: 'service_failed',
      message: `The hosting service answered with an error (HTTP ${status}).`,
      failure: { sendState: 'answered', status },
    });
  });

  test.each(['html', 'malformed'])('with a response that is not JSON: %s', async (fault) => {
    const { client, injectFault } = await startSandboxClientHarness();
    await injectFault({ fault });
    expect(await catchHostingError(client.call(createSnapshot, snapshot, peopleCall))).toMatchObject({
      code: 'response_not_json',
      failure: { sendState: 'unknown' },
    });
  });

  test('with an unexpected 304', async () => {
    const { client, injectFault } = await startSandboxClientHarness();
    await injectFault({ fault: 'status:304' });
    expect(await catchHostingError(client.call(getVps, vps, peopleCall))).toMatchObject({
      code: 'response_unexpected',
      failure: { sendState: 'answered', status: 304 },
    });
  });

  test.each([301, 302, 307, 308])('with redirect %i, and the key is sent nowhere else', async (status) => {
    const elsewhere = await startTestHttpServer((response) => respond(response, 200));
    const { client } = await createClientForResponse(status, '', { location: `${elsewhere.url}/v1` });
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject({
      code: 'response_unexpected',
      message: `The hosting service answered with an unexpected status (HTTP ${status}).`,
    });
    expect(elsewhere.connections()).toBe(0);
  });
});

test.each([
  [302, 'unknown'],
  [303, 'unknown'],
  [307, 'answered'],
])('after a redirect %i, whether the call was carried out is %s', async (status, sendState) => {
  const { client } = await createClientForResponse(status, '', { location: '/v1/jobs/7' });
  const { failure } = await catchHostingError(client.call(performVpsAction, reboot, peopleCall));
  expect(failure).toEqual({ sendState, status });
});

test.each([204, 200, 202])('a change that is answered with %i and nothing else is done', async (status) => {
  const { client } = await createClientForResponse(status, '');
  expect(await client.call(createSnapshot, snapshot, peopleCall)).toEqual({});
  expect(await catchHostingError(client.call(getVps, vps, peopleCall))).toMatchObject({
    code: 'response_not_json',
  });
});

test('a response whose payload says that the change failed is not known to be done', async () => {
  const data = { success: false, error: 'VM is locked.' };
  const { client } = await createClientForResponse(200, { success: true, data });
  expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject({
    code: 'response_unsuccessful',
    failure: { sendState: 'unknown', serviceMessage: 'VM is locked.' },
  });
});

describe('a response', () => {
  test.each([
    [
      { success: false, error: { message: 'Not today.' } },
      { sendState: 'answered', serviceMessage: 'Not today.' },
    ],
    [{ success: false }, { sendState: 'answered' }],
    [{ success: 'true', data: {} }, { sendState: 'unknown' }],
    [{ success: 1, data: {} }, { sendState: 'unknown' }],
    [{ data: { vps_name: 'VPS-10001' } }, { sendState: 'unknown' }],
    [{}, { sendState: 'unknown' }],
    [[], { sendState: 'unknown' }],
    ['null', { sendState: 'unknown' }],
    ['"success"', { sendState: 'unknown', serviceMessage: 'success' }],
    ['true', { sendState: 'unknown' }],
  ])('without success is an error: %j', async (body, failure) => {
    const { client } = await createClientForResponse(200, body);
    const error = await catchHostingError(client.call(createSnapshot, snapshot, peopleCall));
    expect(error.code).toBe('response_unsuccessful');
    expect(error.failure).toEqual({ status: 200, ...failure });
  });

  const documented = {
    version: 'v1',
    service: 'Hosting',
    timestamp: '2026-03-11T13:00:00+01:00',
    permissions: ['vps.read'],
  };

  test.each([
    ['permissions', { permissions: 'all' }],
    ['permissions.0', { permissions: [{ name: 'vps.read' }] }],
  ])('must have the documented fields, such as data.%s', async (field, wrong) => {
    const { client } = await createClientForResponse(200, {
      success: true,
      data: { ...documented, ...wrong },
    });
    expect(await catchHostingError(client.call(getStatus, {}, peopleCall))).toMatchObject({
      code: 'response_unexpected',
      message: `The hosting service's response lacks documented fields: data.${field}.`,
    });
  });

  test.each([
    [{ version: 1.1 }, { version: '1.1' }],
    [{ timestamp: '2026-11-21T06:00:00+0000' }, { timestamp: '2026-11-21T06:00:00+0000' }],
    [{ timestamp: 1_795_000_000 }, { timestamp: '1795000000' }],
    [{ timestamp: null }, { timestamp: undefined }],
    [{ service: undefined }, { service: undefined }],
    [{ service: { name: 'Hosting' } }, { service: undefined }],
  ])('can have a field that is only shown as %j', async (sent, read) => {
    const { client } = await createClientForResponse(200, {
      success: true,
      data: { ...documented, ...sent },
    });
    expect(await client.call(getStatus, {}, peopleCall)).toEqual({ ...documented, ...read });
  });

  test('can have undocumented fields and permissions', async () => {
    const data = { ...documented, permissions: ['vps.read', 'dns.read'], region: 'fra' };
    const { client } = await createClientForResponse(200, { success: true, data, request_id: 'r-1' });
    expect(await client.call(getStatus, {}, peopleCall)).toEqual(data);
  });

  test('with undocumented fields is returned unchanged', async () => {
    // The text of an XML element that was converted to JSON replaces its object.
    const isConvertedXml = (value: unknown) => /"(\$|\$t|#text|_text)":/.test(JSON.stringify(value));
    const payload = fc
      .oneof(
        fc.dictionary(
          fc.string().filter((field) => field !== '__proto__'),
          fc.jsonValue(),
        ),
        fc.array(fc.jsonValue({ maxDepth: 2 })),
      )
      .filter((value) => !isConvertedXml(value));
    let data: unknown;
    const server = await startTestHttpServer((response) => respond(response, 200, { success: true, data }));
    const { client } = await createClientHarness(server.url);
    await fc.assert(
      fc.asyncProperty(payload, async (value) => {
        data = value;
        const expected: unknown = JSON.parse(JSON.stringify(value));
        expect(await client.call(listSnapshots, vps, peopleCall)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps every digit of a long ID', async () => {
    const vlans =
      '[{"id":90071992547409931,"name":"web","load":0.1234567890123456,"hash":"1234567890123456"}]';
    const { client } = await createClientForResponse(200, `{"success":true,"data":{"vlans":${vlans}}}`);
    const { vlans: read } = readVlans(await client.call(listVlans, vps, peopleCall));
    expect(read).toMatchObject([{ id: '90071992547409931', record: { load: 0.1234567890123456 } }]);
  });

  test.each([
    ['UPID:pve:0001:qmsnapshot:101:', { result: 'UPID:pve:0001:qmsnapshot:101:' }],
    [4711, { result: 4711 }],
    [true, {}],
    ['', {}],
  ])('to a change can be one value: %j', async (data, read) => {
    const { client } = await createClientForResponse(200, { success: true, data });
    expect(await client.call(createSnapshot, snapshot, peopleCall)).toEqual(read);
  });

  test.each([
    [
      'a record with 5,001 fields',
      Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [index, 0])),
    ],
    ['a list with 50,001 values', Array.from({ length: 50_001 }, () => 0)],
  ])('with %s is not read', async (_, data) => {
    const { client } = await createClientForResponse(200, { success: true, data });
    const { code, failure } = await catchHostingError(client.call(getVps, vps, peopleCall));
    expect([code, failure.sendState]).toEqual(['response_unexpected', 'unknown']);
  });

  test('is read if its text has many separators, or its list many records', async () => {
    const data = {
      text: '",:{['.repeat(60_000),
      list: Array.from({ length: 9_000 }, () => ({ state: 'on', tags: ['a', 'b'] })),
    };
    const { client } = await createClientForResponse(200, { success: true, data });
    expect(await client.call(getVps, vps, peopleCall)).toEqual(data);
  });

  test('to a change that makes a password is not read with 1,001 values', async () => {
    const data = { list: Array.from({ length: 1_001 }, () => 'hT5-xxQ2lm') };
    const { client } = await createClientForResponse(200, { success: true, data });
    const reset = client.call(resetRootPassword, { ...vps, body: { delivery: 'api' } }, peopleCall);
    const { code, message } = await catchHostingError(reset);
    expect([code, message.includes('hT5-xxQ2lm')]).toEqual(['response_unexpected', false]);
  });

  test.each([{ success: true }, { success: true, data: null }])(
    'without a payload has an empty payload',
    async (body) => {
      const { client } = await createClientForResponse(201, body);
      expect(await client.call(createSnapshot, snapshot, peopleCall)).toEqual({});
    },
  );
});
