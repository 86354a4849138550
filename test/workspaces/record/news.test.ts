import { describe, expect, test } from 'vitest';
import { isNews, newsOf } from '../../../src/workspaces/record/news.ts';
import type { RecordedRun } from '../../../src/workspaces/record/recorded-run.ts';
import { catalogue, recorded } from './recorded.ts';

const neverQueued = { queuedMs: null, sentMs: null };

const worth: Readonly<Record<string, Partial<RecordedRun>>> = {
  'a change that is done': {},
  'a change that failed': { status: 'failed', errorCode: 'service_failed' },
  'a change whose outcome is unknown': { status: 'unknown' },
  'a change that a second person declined': {
    status: 'refused',
    errorCode: 'cancelled',
    wantedApproval: true,
    declinedBy: 'U0BOB',
    ...neverQueued,
  },
  'a change that nobody approved in time': { status: 'expired', wantedApproval: true, ...neverQueued },
  'a change that was refused for want of a right': {
    status: 'refused',
    errorCode: 'not_permitted',
    ...neverQueued,
  },
  'a look that was refused for want of a right': {
    operation: 'list',
    status: 'refused',
    errorCode: 'not_permitted',
    ...neverQueued,
  },
  'a change that was approved for what is not there any more': {
    status: 'failed',
    errorCode: 'not_found',
    wantedApproval: true,
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

const notWorth: Readonly<Record<string, Partial<RecordedRun>>> = {
  'a look': { operation: 'list', input: {}, target: null },
  'a look that failed': { operation: 'list', input: {}, status: 'failed', errorCode: 'service_failed' },
  'a change that its asker thought better of': {
    status: 'refused',
    errorCode: 'cancelled',
    ...neverQueued,
  },
  'a change that was mistyped': { status: 'refused', errorCode: 'input_invalid', ...neverQueued },
  'a change of a VPS that is not there': { status: 'failed', errorCode: 'not_found' },
  // What is no change is queued as it comes.
  'a look that was mistyped': { operation: 'list', status: 'refused', errorCode: 'input_invalid' },
  'a change to Rackhand that was mistyped': {
    operation: 'connect',
    input: {},
    status: 'refused',
    errorCode: 'input_invalid',
  },
  'a change to Rackhand that names what is not there': {
    operation: 'connect',
    input: {},
    status: 'failed',
    errorCode: 'input_invalid',
  },
  'a change that nobody confirmed': { status: 'expired', errorCode: 'deadline_passed', ...neverQueued },
};

describe('news for a channel that follows along', () => {
  test.each(Object.entries(worth))('%s', (_, run) => {
    expect(isNews(recorded(run), catalogue)).toBe(true);
  });

  test.each(Object.entries(notWorth))('%s is none', (_, run) => {
    expect(isNews(recorded(run), catalogue)).toBe(false);
  });

  test('say who did what, who approved it, how it ended and how long it took', async () => {
    const nameOf = async (_: string, id: string) => `name of ${id}`;
    const done = await newsOf(recorded({ approvedBy: 'U0BOB' }), catalogue, nameOf);
    expect(done).toEqual({
      status: 'done',
      what: 'reboot VPS-10001',
      who: 'name of U0ALICE, approved by name of U0BOB',
      tookMs: 3_000,
    });
    const said = 'The service refused it.';
    const failed = await newsOf(recorded({ status: 'failed', said }), catalogue, nameOf);
    expect(failed).toMatchObject({ status: 'failed', said });
    const declined = await newsOf(recorded({ declinedBy: 'U0BOB' }), catalogue, nameOf);
    expect(declined.who).toBe('name of U0ALICE, declined by name of U0BOB');
  });
});
