import { describe, expect, test } from 'vitest';
import { getLiveMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { runRead } from '../operation-harness.ts';

const live = (data: unknown) => runRead('live', { vps: 'VPS-10001' }, new Map([[getLiveMonitoring, data]]));

describe('live data', () => {
  test('in the format of Proxmox VE are figures with units', async () => {
    const gib = 2 ** 30;
    const { facts } = await live({
      status: 'running',
      cpu: 0.25,
      mem: 2 * gib,
      maxcpu: 4,
      maxmem: 8 * gib,
      disk: 10 * gib,
      maxdisk: 40 * gib,
      uptime: 7200,
    });
    expect(facts).toEqual(
      expect.arrayContaining([
        { label: 'State', value: { kind: 'state', state: 'running' } },
        { label: 'CPU', value: { kind: 'percent', percent: 25 } },
        { label: 'Memory', value: '25% (2 GiB of 8 GiB)' },
        { label: 'Disk', value: '25% (10 GiB of 40 GiB)' },
        { label: 'Uptime', value: { kind: 'duration', durationMs: 7_200_000 } },
      ]),
    );
  });

  test('that are empty are not read', async () => {
    expect((await live({})).notes).toEqual([
      "The live figures couldn't be read from the service's response.",
    ]);
  });
});
