import { describe, expect, test } from 'vitest';
import { getLiveMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { runRead, serializePublicPart } from '../operation-harness.ts';

const live = (data: unknown) => runRead('live', { vps: 'VPS-10001' }, new Map([[getLiveMonitoring, data]]));

describe('live data', () => {
  test('in the format of Proxmox VE are figures with units', async () => {
    const gib = 2 ** 30;
    const { facts } = await live({
      status: 'running',
      cpu: 0.25,
      mem: 2 * gib,
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

  test("of a machine whose disk the service can't see do not show how full it is", async () => {
    const { facts, notes } = await live({
      status: 'running',
      cpus: 8,
      cpu: 0.9712,
      disk: 0,
      maxdisk: 2 ** 35,
    });
    // Live figures are of one moment, not means of a period.
    expect(notes).toEqual([]);
    expect(facts).toContainEqual({
      label: 'CPU',
      value: { kind: 'percent', percent: expect.closeTo(97.12) },
    });
    expect(facts).toContainEqual({ label: 'Disk', value: 'not shown, of 32 GiB' });
    expect(facts).toContainEqual({ label: 'CPU cores', value: '8' });
  });

  test('with unknown fields are shown under readable names', async () => {
    const { facts } = await live({ fan_speed: 1200 });
    expect(facts).toEqual([{ label: 'Fan speed', value: '1200' }]);
  });

  test('in an unusually long response say that only part of it was read', async () => {
    const { notes } = await live({ cpu_percent: 12, samples: Array.from({ length: 10_000 }, () => [1, 2]) });
    expect(notes).toContain(
      "The service's response is unusually long. Only part of it was read, so something may be missing here.",
    );
  });

  test('that are empty are reported as such', async () => {
    expect((await live({})).notes).toEqual(['The service has no live figures for this VPS.']);
  });

  test('that contain a secret show everything else', async () => {
    const outcome = await live({ cpu: 0.1, console_token: 'tok-1234' });
    expect(serializePublicPart(outcome)).not.toContain('tok-1234');
    expect(outcome.secrets).toEqual([{ label: 'Console token', value: 'tok-1234' }]);
  });

  test('that are too long are cut, and say so', async () => {
    const data = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`gauge_${index}x`, index]));
    const { facts, notes } = await live(data);
    expect(facts?.length).toBeLessThanOrEqual(30);
    expect(notes?.join()).toMatch(/\d+ more fields are not shown/);
  });
});
