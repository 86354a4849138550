import { describe, expect, test } from 'vitest';
import { listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { getVps, performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { catchHostingError, createClientForResponse, peopleCall } from './client-harness.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };

describe('a change whose response says success, but also that it failed,', () => {
  test.each<[Record<string, unknown>]>([
    [{ data: { success: false, error: 'VM is locked.' } }],
    [{ data: { success: '0', msg: 'VM is locked.' } }],
    [{ data: { result: 'error', message: 'VM is locked.' } }],
    [{ data: { status: 'error', msg: 'VM is locked.' } }],
    [{ data: { done: 0, error: ['VM is locked.'] } }],
    [{ data: null, error: 'VM is locked.' }],
    [{ data: [], errors: [{ code: 17, message: 'VM is locked.' }] }],
    [{ data: { job: { id: 7, status: 'failed', error: 'VM is locked.' } } }],
    [{ data: { accepted: true, task: { state: 'failed', message: 'VM is locked.' } } }],
    [{ data: { result: { success: false, job: null, reason: 'VM is locked.' } } }],
    [{ data: [], error: { code: 0, message: 'VM is locked.' } }],
    [{ data: { response: { operation: { id: 7, errors: ['VM is locked.'] } } } }],
  ])('is not known to be done: %j', async (reply) => {
    const { client } = await createClientForResponse(200, { success: true, ...reply });
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject({
      code: 'response_unsuccessful',
      failure: { sendState: 'unknown', status: 200, serviceMessage: 'VM is locked.' },
    });
  });

  test.each<[Record<string, unknown>]>([
    [{ data: { vps_name: 'VPS-10001', status: 'error' } }],
    [{ data: { result: 'ok', error: '', errors: [], message: 'Rebooting.' } }],
    [{ data: { error: { code: 0, message: 'OK' } }, error: null, errors: 0 }],
    [{ data: { error: { code: 0, message: '' } }, errors: { count: 0 } }],
    [{ data: { errors: {} }, error: { code: 200, message: 'Rebooting the VPS.' } }],
    [{ data: { error: 'No error', errors: [null, ''] }, error: 'none.' }],
    [{ data: { error: 'false', errors: '0', error_code: 0 }, error: false, errors: null }],
    [{ data: { error: { has_error: false, text: 'Rebooting.' } } }],
    [{ data: { errors: [{ severity: 'warning', message: 'Tools are not installed.' }] } }],
    [{ data: { warnings: ['Tools are not installed.'] }, error: 'Success.' }],
    [{ data: { job: { status: 'running', error: null, errors: [] } } }],
    [{ data: { vps: { vps_name: 'VPS-10001', status: 'error', error: 'Disk failure.' } } }],
    [{ data: { result: { vps_name: 'VPS-10001', status: 'error' } } }],
    [{ data: { last_error: 'VM was locked.', status: 'running', message: 'Rebooting.' } }],
  ])('is done if nothing says that it failed: %j', async (reply) => {
    const { client } = await createClientForResponse(200, { success: true, ...reply });
    expect(await client.call(performVpsAction, reboot, peopleCall)).toEqual(reply.data);
  });
});

describe('a read whose response says success', () => {
  test.each<[Record<string, unknown>]>([
    [{ data: { success: false, message: 'Node down.' } }],
    [{ data: { result: 'error', message: 'Node down.' } }],
    [{ data: [], error: 'Node down.' }],
  ])('has failed if it only has an error: %j', async (reply) => {
    const { client } = await createClientForResponse(200, { success: true, ...reply });
    expect(await catchHostingError(client.call(listSnapshots, vps, peopleCall))).toMatchObject({
      code: 'response_unsuccessful',
      failure: { serviceMessage: 'Node down.' },
    });
  });

  test.each<[Record<string, unknown>]>([
    [{ data: { vps_name: 'VPS-10001', status: 'error', message: 'Disk failure.' } }],
    [{ data: { vps_name: 'VPS-10001', error: 'Disk failure.' }, errors: ['Node 7 is down.'] }],
  ])('can have errors beside what was read: %j', async (reply) => {
    const { client } = await createClientForResponse(200, { success: true, ...reply });
    expect(await client.call(getVps, vps, peopleCall)).toEqual(reply.data);
  });
});
