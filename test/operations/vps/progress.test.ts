import { expect, test } from 'vitest';
import { getVps } from '../../../src/hosting/endpoints/vps.ts';
import { readVpsProgress } from '../../../src/operations/vps/progress.ts';
import { createStubRead } from '../operation-harness.ts';

const readProgress = (vps: unknown) => readVpsProgress(createStubRead(new Map([[getVps, vps]])), 'VPS-10001');

test.each([
  'rebooting',
  'Restarting',
  'STOPPING',
  'shutting_down',
  'HARD_REBOOT',
  'in_progress',
  'pending',
  'queued',
  'locked (backup)',
])('an action is in progress while a VPS is %s', async (state) => {
  expect(await readProgress({ vps_name: 'VPS-10001', state })).toEqual({
    isFinished: false,
    state,
    text: `VPS-10001 is ${state}.`,
  });
});

test.each(['running', 'Running', 'stopped', 'online', 'blocked', 'unlocked', 'error', 'error_deleting'])(
  'an action has finished when a VPS is %s',
  async (state) => {
    expect(await readProgress({ vps_name: 'VPS-10001', status: state })).toEqual({
      isFinished: true,
      state,
      text: `VPS-10001 is ${state} now.`,
    });
  },
);

test.each(['VM running', 'PowerState/stopped', 'STATUS_ACTIVE'])(
  'an action has finished when a VPS is %s, which is a known state',
  async (state) => {
    expect(await readProgress({ vps_name: 'VPS-10001', state })).not.toHaveProperty('isEndUnknown');
    expect(await readProgress({ vps_name: 'VPS-10001', state })).toMatchObject({ isFinished: true, state });
  },
);

test.each(['wird gestartet', '再起動中', 'phase 2', 'running (status) but off (power_state)', 'unknown'])(
  'an action is not called finished when a VPS is %s, which is an unknown state',
  async (state) => {
    expect(await readProgress({ vps_name: 'VPS-10001', state })).toEqual({
      isFinished: true,
      isEndUnknown: true,
      state,
      text: `VPS-10001 is ${state}. Rackhand doesn't know whether work is still under way in this state.`,
    });
  },
);

test('an action whose state the service does not show is not polled', async () => {
  expect(await readProgress({ vps_name: 'VPS-10001' })).toMatchObject({
    isFinished: true,
    isEndUnknown: true,
  });
});
