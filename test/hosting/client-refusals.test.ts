import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSnapshot } from '../../src/hosting/endpoints/snapshots.ts';
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

describe('the service refuses', () => {
  test('an unknown key with 401', async () => {
    const { client } = await startCalling({ apiKey: 'no-such-key' });
    expect(await failureOf(client.call(getVps, vps, people))).toMatchObject({
      code: 'key_rejected',
      failure: { fate: 'answered', status: 401, serviceMessage: 'The API key is missing or not known.' },
    });
  });

  test('a key without the permission with 403, and the error names what it lacks', async () => {
    const { client } = await startCalling({ apiKey: 'sandbox-key-read' });
    expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject({
      code: 'permission_missing',
      message: 'The API key lacks the permission vps.manage (403).',
      failure: { fate: 'answered', status: 403, permission: 'vps.manage' },
    });
  });

  test('with 403 where the document names no permission', async () => {
    const { client } = await answering(403);
    const { code, failure } = await failureOf(client.call(getStatus, {}, people));
    expect({ code, failure }).toEqual({
      code: 'permission_missing',
      failure: { fate: 'answered', status: 403 },
    });
  });

  test('a name that it does not know with 404', async () => {
    const { client } = await startCalling();
    const failure = await failureOf(client.call(getVps, { params: { vps_name: 'VPS-99999' } }, people));
    expect(failure).toMatchObject({
      code: 'not_found',
      failure: { fate: 'answered', status: 404, serviceMessage: 'There is no VPS VPS-99999.' },
    });
  });

  test('what the state forbids with 409, in its own words', async () => {
    const { client } = await startCalling();
    const start = { ...vps, body: { action: 'start' } };
    expect(await failureOf(client.call(performVpsAction, start, people))).toMatchObject({
      code: 'refused',
      failure: { fate: 'answered', status: 409, serviceMessage: 'VPS-10001 is running.' },
    });
  });

  test('what it does not accept with 422, in its own words', async () => {
    const { client } = await startCalling();
    const explode = { ...vps, body: { action: 'explode' } };
    expect(await failureOf(client.call(performVpsAction, explode, people))).toMatchObject({
      code: 'refused',
      failure: { fate: 'answered', status: 422, serviceMessage: expect.stringContaining('Expected one of') },
    });
  });

  test('what exceeds its quota with 429', async () => {
    const { client } = await startCalling({ sandbox: { quota: 1, now: () => 1e12 } });
    await client.call(createSnapshot, snapshot, people);
    expect(await failureOf(client.call(createSnapshot, snapshot, people))).toMatchObject({
      code: 'quota_exceeded',
      failure: { fate: 'answered', status: 429, retryAfterMs: 60_000 },
    });
  });

  test.each([400, 402, 405, 410, 413, 418])('with %i, which is a refusal like any other', async (status) => {
    const { client } = await answering(status);
    expect(await failureOf(client.call(createSnapshot, snapshot, people))).toMatchObject({
      code: 'refused',
      message: `The hosting service refused this (${status}).`,
      failure: { fate: 'answered', status },
    });
  });
});

describe('the words of the service', () => {
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
    [[{ message: 'Taken.' }]],
    ['"Taken."'],
    [{ message: '  Taken.\r\n\t' }],
  ])('are found wherever they stand: %j', async (body) => {
    const { client } = await answering(409, body);
    const { failure } = await failureOf(client.call(createSnapshot, snapshot, people));
    expect(failure.serviceMessage).toBe('Taken.');
  });

  test.each([
    ['<html><h1>502 Bad Gateway</h1></html>'],
    ['{"message": "cut of'],
    ['{}'],
    [{ status: 'x' }],
    [{ message: 7 }],
  ])('are missing where there are none: %j', async (body) => {
    const { client } = await answering(500, body);
    const { failure } = await failureOf(client.call(createSnapshot, snapshot, people));
    expect(failure).toEqual({ fate: 'answered', status: 500 });
  });

  test('are cut after 300 characters', async () => {
    const { client } = await answering(409, { message: `${'x'.repeat(299)}yz` });
    const { failure } = await failureOf(client.call(createSnapshot, snapshot, people));
    expect(failure.serviceMessage).toBe(`${'x'.repeat(299)}y`);
  });

  test('are one line of 300 characters at most, whatever the body is', async () => {
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
        fc.string({ maxLength: 400, unit: 'binary' }),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('json'), { maxLength: 3 }),
      record: fc.dictionary(field, tie('json'), { maxKeys: 3 }),
    }));
    let body: unknown;
    const server = await startHttpServer((response) => respond(response, 409, JSON.stringify(body)));
    const { client } = await createCalling(server.url);
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        body = value;
        const { code, failure } = await failureOf(client.call(createSnapshot, snapshot, people));
        expect(code).toBe('refused');
        expect(failure.serviceMessage ?? 'none').toMatch(/^[^\p{Cc}\u2028\u2029]{1,300}$/u);
      }),
      { numRuns: 60 },
    );
  });
});
