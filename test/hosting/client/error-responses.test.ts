import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regenerateBackupFtp } from '../../../src/hosting/endpoints/backup-ftp.ts';
import { createSnapshot } from '../../../src/hosting/endpoints/snapshots.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { getVps, performVpsAction, resetRootPassword } from '../../../src/hosting/endpoints/vps.ts';
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

  test('a call without a documented permission (403)', async () => {
    const { client } = await createClientForResponse(403);
    const { code, failure } = await catchHostingError(client.call(getStatus, {}, peopleCall));
    expect({ code, failure }).toEqual({
      code: 'permission_missing',
      failure: { sendState: 'answered', status: 403 },
    });
  });

  test.each([
    [{ message: 'IP 198.51.100.7 is not allowed' }, 'access_denied'],
    ['Forbidden', 'access_denied'],
    [{ error: 'insufficient_scope', error_description: 'The token has not the scope' }, 'permission_missing'],
    ['<html>Forbidden</html>', 'access_denied'],
    ["You don't have permission to access this resource.", 'access_denied'],
    ['', 'permission_missing'],
    [{}, 'permission_missing'],
  ])(
    'a call (403), and only the service itself can say that a permission is missing: %j',
    async (body, code) => {
      const { client } = await createClientForResponse(403, body);
      expect(await catchHostingError(client.call(getVps, vps, peopleCall))).toMatchObject({ code });
    },
  );

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

  test('calls above the quota (429)', async () => {
    const { client } = await startSandboxClientHarness({ sandbox: { quota: 1, now: () => 1e12 } });
    await client.call(createSnapshot, snapshot, peopleCall);
    expect(await catchHostingError(client.call(createSnapshot, snapshot, peopleCall))).toMatchObject({
      code: 'quota_exceeded',
      failure: { sendState: 'answered', status: 429, retryAfterMs: 60_000 },
    });
  });
});

describe('the message of the service', () => {
  test.each([
    [{ message: 'Taken.' }],
    [{ error: 'Taken.' }],
    [{ success: false, error: { code: 'conflict', message: 'Taken.' } }],
    [{ success: false, data: null, errors: [{ field: 'name', message: 'Taken.' }] }],
    [{ errors: ['Taken.', 'Too long.'] }],
    [{ errors: { name: ['Taken.'] } }],
    [{ error: { details: { name: 'Taken.' } } }],
    [{ detail: [{ loc: ['body', 'name'], msg: 'Taken.', type: 'value_error' }] }],
    [{ type: 'https://example.com/conflict', title: 'Conflict', detail: 'Taken.', status: 409 }],
    [{ error: true, message: '', reason: 'Taken.' }],
    [{ errorCode: 7, errorMessage: 'Taken.' }],
    [{ error: 'conflict', error_description: 'Taken.' }],
    [{ fault: { code: 'Client', string: 'Taken.' } }],
    ['Taken.'],
    [[{ message: 'Taken.' }]],
    ['"Taken."'],
    [{ message: '  Taken.\r\n\t' }],
  ])('is found at any position: %j', async (body) => {
    const { client } = await createClientForResponse(409, body);
    const { failure } = await catchHostingError(client.call(createSnapshot, snapshot, peopleCall));
    expect(failure.serviceMessage).toBe('Taken.');
  });

  test.each([
    ['<html><h1>502 Bad Gateway</h1></html>'],
    ['{"message": "cut of'],
    ['{}'],
    [{ status: 'x' }],
    [{ message: 7 }],
  ])('is undefined without a message: %j', async (body) => {
    const { client } = await createClientForResponse(500, body);
    const { failure } = await catchHostingError(client.call(createSnapshot, snapshot, peopleCall));
    expect(failure).toEqual({ sendState: 'answered', status: 500 });
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
