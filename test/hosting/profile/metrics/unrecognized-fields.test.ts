import { describe, expect, test } from 'vitest';
import { readLiveMetrics } from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';

describe('an unknown field', () => {
  test('is shown under its own name', () => {
    const data = {
      cpu_percent: 10,
      cpu_temperature: '61 °C',
      gpu: { load: 3 },
      inodes: 7,
      healthy: true,
      tags: ['a', 'b'],
    };
    expect(readLiveMetrics(data).unrecognized).toEqual([
      { path: ['cpu_temperature'], value: '61 °C' },
      { path: ['gpu', 'load'], value: 3 },
      { path: ['inodes'], value: 7 },
      { path: ['healthy'], value: true },
      { path: ['tags'], value: 'a, b' },
    ]);
  });

  test('is never interpreted as a metric', () => {
    const reading = readLiveMetrics({
      cpu_temperature: 61,
      memory_errors: 3,
      disk_inodes_used: 5,
      cpu_idle: 88,
      swap_used: 5e9,
    });
    expect(reading.unrecognized).toHaveLength(5);
    expect(reading).not.toHaveProperty('cpuPercent');
    expect(reading).not.toHaveProperty('memoryUsedBytes');
  });

  test('is not shown if it can be a secret', () => {
    const data = {
      console_password: 'hunter2',
      items: [{ name: 'vnc_token', value: 'hunter2' }],
      vnc: 'vnc://u:hunter2@h',
    };
    expect(readLiveMetrics(data).unrecognized).toEqual([{ path: ['vnc'], value: 'vnc://u:…@h' }]);
  });
});
