import { expect, test } from 'vitest';
import { getVps } from '../../../src/hosting/endpoints/vps.ts';
import { followVps } from '../../../src/operations/vps/follow.ts';
import { readFrom } from '../answering.ts';

const look = (vps: unknown) => followVps(readFrom(new Map([[getVps, vps]])), 'VPS-10001');

test.each(['rebooting', 'Restarting', 'STOPPING', 'in_progress', 'pending', 'queued', 'locked (backup)'])(
  'work goes on while a VPS is %s',
  async (state) => {
    expect(await look({ vps_name: 'VPS-10001', state })).toEqual({
      isOver: false,
      words: `VPS-10001 is ${state}.`,
    });
  },
);

test.each(['running', 'Running', 'stopped', 'online', 'error', 'unknown'])(
  'work is over when a VPS is %s',
  async (state) => {
    expect(await look({ vps_name: 'VPS-10001', status: state })).toEqual({
      isOver: true,
      words: `VPS-10001 is ${state} now.`,
    });
  },
);

test('work whose state the service does not show is not waited for', async () => {
  expect(await look({ vps_name: 'VPS-10001' })).toMatchObject({ isOver: true, isUnseen: true });
});
