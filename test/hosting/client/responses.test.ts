import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regenerateBackupFtp } from '../../../src/hosting/endpoints/backup-ftp.ts';
import { createSnapshot, listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { listVlans } from '../../../src/hosting/endpoints/vlans.ts';
import { getVps, performVpsAction, resetRootPassword } from '../../../src/hosting/endpoints/vps.ts';
import { readVlans } from '../../../src/hosting/payloads/vlans.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';
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

  test('with undocumented fields is returned unchanged', async () => {
    const payload = fc.oneof(
      fc.dictionary(
        fc.string().filter((field) => field !== '__proto__'),
        fc.jsonValue(),
      ),
      fc.array(fc.jsonValue({ maxDepth: 2 })),
    );
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
    ['101 levels', Array.from({ length: 101 }).reduce<unknown>((inner) => ({ a: inner }), 0)],
  ])('with %s is not read', async (_, data) => {
    const { client } = await createClientForResponse(200, { success: true, data });
    const { code, failure } = await catchHostingError(client.call(getVps, vps, peopleCall));
    expect([code, failure.sendState]).toEqual(['response_unexpected', 'unknown']);
  });

  test('has no text of 5 MB, which would take seconds to search for secrets', async () => {
    const data = { status: 'x'.repeat(5 * 2 ** 20), name: 'web-01', list: ['y'.repeat(100_001)] };
    const { client } = await createClientForResponse(200, { success: true, data });
    const read = await client.call(getVps, vps, peopleCall);
    expect(read).toEqual({ status: null, name: 'web-01', list: [null] });
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

describe('the service refuses', () => {
  test('an unknown key (401)', async () => {
    const { client } = await startSandboxClientHarness({ apiKey: 'no-such-key' });
    expect(await catchHostingError(client.call(getVps, vps, peopleCall))).toMatchObject({
      code: 'key_rejected',
      failure: { sendState: 'answered', status: 401, serviceMessage: 'The API key is missing or unknown.' },
    });
  });

  test('a key without the permission (403), and the error names the permission', async () => {
    const { client } = await startSandboxClientHarness({ apiKey: 'sandbox-key-read' });
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject({
      code: 'permission_missing',
      message: 'The API key lacks the permission vps.manage (HTTP 403).',
      failure: { sendState: 'answered', status: 403, permission: 'vps.manage' },
    });
  });

  test('an unknown name (404)', async () => {
    const { client } = await startSandboxClientHarness();
    const failure = await catchHostingError(
      client.call(getVps, { params: { vps_name: 'VPS-99999' } }, peopleCall),
    );
    expect(failure).toMatchObject({
      code: 'not_found',
      failure: { sendState: 'answered', status: 404, serviceMessage: 'There is no VPS VPS-99999.' },
    });
  });

  test('a call that the state forbids (409), with its own message', async () => {
    const { client } = await startSandboxClientHarness();
    const start = { ...vps, body: { action: 'start' } };
    expect(await catchHostingError(client.call(performVpsAction, start, peopleCall))).toMatchObject({
      code: 'refused',
      failure: { sendState: 'answered', status: 409, serviceMessage: 'VPS-10001 is running.' },
    });
  });

  test('invalid input (422), with its own message', async () => {
    const { client } = await startSandboxClientHarness();
    const explode = { ...vps, body: { action: 'explode' } };
    expect(await catchHostingError(client.call(performVpsAction, explode, peopleCall))).toMatchObject({
      code: 'refused',
      failure: {
        sendState: 'answered',
        status: 422,
        serviceMessage: expect.stringContaining('Expected one of'),
      },
    });
  });
});

/** Each answer to a change, its code (`done` without an error), and what the service's message is. */
const answers: [status: number, body: unknown, code: string, message?: string][] = [
  [204, '', 'done'],
  [200, '', 'done'],
  [202, '', 'done'],
  [200, { success: true }, 'done'],
  [200, '<html><h1>Welcome</h1></html>', 'response_not_json'],
  [200, 'Reboot started.', 'response_not_json'],
  [200, { success: false, error: 'Taken.' }, 'response_unsuccessful', 'Taken.'],
  [401, '', 'key_rejected'],
  [403, '', 'access_denied'],
  [403, {}, 'access_denied'],
  [403, 'Forbidden', 'access_denied', 'Forbidden'],
  [403, '<html>Forbidden</html>', 'access_denied'],
  [403, { message: 'IP 198.51.100.7 is not allowed' }, 'access_denied', 'IP 198.51.100.7 is not allowed'],
  [
    403,
    "You don't have permission to access this.",
    'access_denied',
    "You don't have permission to access this.",
  ],
  [403, { error: 'The token has not the scope' }, 'permission_missing', 'The token has not the scope'],
  [403, { title: 'Permission vps.manage missing' }, 'permission_missing', 'Permission vps.manage missing'],
  [409, { message: 'Taken.' }, 'refused', 'Taken.'],
  [409, { message: '  Taken.\r\n\t' }, 'refused', 'Taken.'],
  [409, { error: 'Taken.' }, 'refused', 'Taken.'],
  [409, { success: false, error: { code: 'conflict', message: 'Taken.' } }, 'refused', 'Taken.'],
  [409, { success: false, data: null, errors: [{ field: 'name', message: 'Taken.' }] }, 'refused', 'Taken.'],
  [409, { errors: ['Taken.', 'Too long.'] }, 'refused', 'Taken.'],
  [409, { errors: { name: ['Taken.'] } }, 'refused', 'Taken.'],
  [409, { error: { details: { name: 'Taken.' } } }, 'refused', 'Taken.'],
  [409, { detail: [{ loc: ['body', 'name'], msg: 'Taken.', type: 'value_error' }] }, 'refused', 'Taken.'],
  [409, { type: 'https://x.example/conflict', title: 'Conflict', detail: 'Taken.' }, 'refused', 'Taken.'],
  [409, { title: 'Taken.' }, 'refused', 'Taken.'],
  [409, { error: true, message: '', reason: 'Taken.' }, 'refused', 'Taken.'],
  [409, { errorCode: 7, errorMessage: 'Taken.' }, 'refused', 'Taken.'],
  [409, { error: 'conflict', error_description: 'Taken.' }, 'refused', 'Taken.'],
  [409, { fault: { code: 'Client', string: 'Taken.' } }, 'refused', 'Taken.'],
  [409, [{ message: 'Taken.' }], 'refused', 'Taken.'],
  [409, 'Taken.', 'refused', 'Taken.'],
  [409, '"Taken."', 'refused', 'Taken.'],
  [409, 'x'.repeat(1_000), 'refused', 'x'.repeat(300)],
  [500, '<html><h1>502 Bad Gateway</h1></html>', 'service_failed'],
  [500, '{"message": "cut of', 'service_failed'],
  [500, { status: 'x' }, 'service_failed'],
  [500, { message: 7 }, 'service_failed'],
];

describe('what the service says', () => {
  test.each(answers)('with %i and %j is %s: %s', async (status, body, code, message) => {
    const { client } = await createClientForResponse(status, body);
    const call = client.call(createSnapshot, snapshot, peopleCall);
    if (code === 'done') return expect(await call).toEqual({});
    const error = await catchHostingError(call);
    expect([error.code, error.failure.serviceMessage]).toEqual([code, message]);
  });

  test('with nothing is no answer to a read', async () => {
    const { client } = await createClientForResponse(204, '');
    expect((await catchHostingError(client.call(getVps, vps, peopleCall))).code).toBe('response_not_json');
  });

  const tulip = 'tulip42harbor';

  test.each([
    ['a reset', resetRootPassword, { message: `password: ${tulip}` }],
    ['a reset', resetRootPassword, { error: { message: `Set to ${tulip} battery, but no e-mail was sent` } }],
    ['new credentials', regenerateBackupFtp, { detail: `Could not store ${tulip}` }],
    ['a read', getVps, { message: `agent ${tulip} is gone`, agent_token: tulip }],
  ])('is left out if it may contain a secret: %s, %#', async (_, endpoint, body) => {
    const { client } = await createClientForResponse(422, body);
    const call = client.call(endpoint, { ...vps, body: { delivery: 'api' } }, peopleCall);
    const { failure } = await catchHostingError(call);
    expect(failure).toEqual({ sendState: 'answered', status: 422, isMessageHidden: true });
  });

  test('is shown after a failed reset if it says only what happened', async () => {
    const message = 'VPS-10001 is locked by another task.';
    const { client } = await createClientForResponse(409, { message });
    const call = client.call(resetRootPassword, { ...vps, body: { delivery: 'api' } }, peopleCall);
    expect((await catchHostingError(call)).failure.serviceMessage).toBe(message);
  });

  test('is one line of at most 300 characters for any body', async () => {
    const field = fc.constantFrom(
      'message',
      'error',
      'errors',
      'detail',
      'title',
      '__proto__',
      'constructor',
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 6 },
        fc.string({ maxLength: 400, unit: anyCharacter }),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('json'), { maxLength: 3 }),
      record: fc.dictionary(field, tie('json'), { maxKeys: 3 }),
    }));
    let body: unknown;
    const server = await startTestHttpServer((response) => respond(response, 409, JSON.stringify(body)));
    const { client } = await createClientHarness(server.url);
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        body = value;
        const { code, failure } = await catchHostingError(client.call(createSnapshot, snapshot, peopleCall));
        expect(code).toBe('refused');
        expect(failure.serviceMessage ?? 'none').toMatch(/^[^\p{Cc}\u2028\u2029]{1,300}$/u);
      }),
      { numRuns: 60 },
    );
  });
});
