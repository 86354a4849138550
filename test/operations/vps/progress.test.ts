import { expect, test } from 'vitest';
import { getVps } from '../../../src/hosting/endpoints/vps.ts';
import { readVpsProgress } from '../../../src/operations/vps/progress.ts';
import { createStubRead } from '../operation-harness.ts';

const readProgress = (vps: unknown) => readVpsProgress(createStubRead(new Map([[getVps, vps]])), 'VPS-10001');

test.each(['rebooting', 'Restarting', 'STOPPING', 'in_progress', 'pending', 'queued', 'locked (backup)'])(
  'work goes on while a VPS is %s',
  async (state) => {
    expect(await readProgress({ vps_name: 'VPS-10001', state })).toEqual({
      isFinished: false,
      text: `VPS-10001 is ${state}.`,
    });
  },
);

test.each(['running', 'Running', 'stopped', 'online', 'error', 'unknown'])(
  'work is over when a VPS is %s',
  async (state) => {
    expect(await readProgress({ vps_name: 'VPS-10001', status: state })).toEqual({
      isFinished: true,
      text: `VPS-10001 is ${state} now.`,
    });
  },
);

test('work whose state the service does not show is not waited for', async () => {
  expect(await readProgress({ vps_name: 'VPS-10001' })).toMatchObject({
    isFinished: true,
    isEndUnknown: true,
  });
});
