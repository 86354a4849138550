import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { shouldNotify, toAuditNotification } from '../../../src/audit/subscriptions/audit-notification.ts';
import { catalogue, createAuditEntry } from '../audit-fixture.ts';

const neverQueued = { queuedMs: null, sentMs: null };

const notified: Readonly<Record<string, Partial<AuditEntry>>> = {
  'a successful change': {},
  'a change that failed': { status: 'failed', errorCode: 'service_failed' },
  'a change whose outcome is unknown': { status: 'unknown' },
  'a change that a second person declined': {
    status: 'refused',
    errorCode: 'cancelled',
    requiredApproval: true,
    declinedBy: 'U0BOB',
    ...neverQueued,
  },
  'a change that nobody approved in time': { status: 'expired', requiredApproval: true, ...neverQueued },
  'a change that was denied': {
    status: 'refused',
    errorCode: 'not_permitted',
    ...neverQueued,
  },
  'a read that was denied': {
    operation: 'list',
    status: 'refused',
    errorCode: 'not_permitted',
    ...neverQueued,
  },
  'an approved change to something that no longer exists': {
    status: 'failed',
    errorCode: 'not_found',
    requiredApproval: true,
  },
  'a change to Rackhand that failed': {
    operation: 'connect',
    input: {},
    status: 'failed',
    errorCode: 'internal',
    sentMs: null,
  },
  'a key that was connected': { operation: 'connect', input: {}, ...neverQueued },
  'an installation': { operation: 'install', input: {}, ...neverQueued },
};

const notNotified: Readonly<Record<string, Partial<AuditEntry>>> = {
  'a read': { operation: 'list', input: {}, target: null },
  'a read that failed': { operation: 'list', input: {}, status: 'failed', errorCode: 'service_failed' },
  'a change that its actor cancelled': {
    status: 'refused',
    errorCode: 'cancelled',
    ...neverQueued,
  },
  'a change with invalid input': { status: 'refused', errorCode: 'input_invalid', ...neverQueued },
  'a change to a VPS that does not exist': { status: 'failed', errorCode: 'not_found' },
  // Reads are queued without checks.
  'a read with invalid input': { operation: 'list', status: 'refused', errorCode: 'input_invalid' },
  'a change to Rackhand with invalid input': {
    operation: 'connect',
    input: {},
    status: 'refused',
    errorCode: 'input_invalid',
  },
  'a change to Rackhand that failed on its input': {
    operation: 'connect',
    input: {},
    status: 'failed',
    errorCode: 'input_invalid',
  },
  'a change that nobody confirmed': { status: 'expired', errorCode: 'deadline_passed', ...neverQueued },
};

describe('a subscribed channel is notified', () => {
  test.each(Object.entries(notified))('of %s', (_, run) => {
    expect(shouldNotify(createAuditEntry(run))).toBe(true);
  });

  test.each(Object.entries(notNotified))('not of %s', (_, run) => {
    expect(shouldNotify(createAuditEntry(run))).toBe(false);
  });

  test('with who did what, who approved it, how it ended and how long it took', async () => {
    const findDisplayName = async (_: string, id: string) => `name of ${id}`;
    const done = await toAuditNotification(
      createAuditEntry({ approvedBy: 'U0BOB' }),
      catalogue,
      findDisplayName,
    );
    expect(done).toEqual({
      statusText: '✅ Done',
      action: 'Reboot VPS-10001',
      actors: 'name of U0ALICE, approved by name of U0BOB',
      durationMs: 2_500,
    });
    const summary = 'The service refused it.';
    const failed = await toAuditNotification(
      createAuditEntry({ status: 'failed', summary }),
      catalogue,
      findDisplayName,
    );
    expect(failed).toMatchObject({ statusText: '❌ Failed', summary });
    const declined = await toAuditNotification(
      createAuditEntry({ status: 'refused', errorCode: 'cancelled', declinedBy: 'U0BOB' }),
      catalogue,
      findDisplayName,
    );
    expect(declined).toMatchObject({
      statusText: '🚫 Declined',
      actors: 'name of U0ALICE, declined by name of U0BOB',
    });
  });
});
