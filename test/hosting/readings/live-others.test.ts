import { describe, expect, test } from 'vitest';
import { readLive } from '../../../src/hosting/readings/live.ts';

describe('what nobody has heard of', () => {
  test('is shown under its own name', () => {
    const data = {
      cpu: 0.1,
      cpu_temperature: '61 °C',
      gpu: { load: 3 },
      inodes: 7,
      healthy: true,
      tags: ['a', 'b'],
    };
    expect(readLive(data).others).toEqual([
      { path: ['cpu_temperature'], value: '61 °C' },
      { path: ['gpu', 'load'], value: 3 },
      { path: ['inodes'], value: 7 },
      { path: ['healthy'], value: true },
      { path: ['tags'], value: 'a, b' },
    ]);
  });

  test('is never taken for what it is not', () => {
    const reading = readLive({
      cpu_temperature: 61,
      memory_errors: 3,
      disk_inodes_used: 5,
      cpu_idle: 88,
      swap_used: 5e9,
    });
    expect(reading.others).toHaveLength(5);
    expect(reading).not.toHaveProperty('cpuPercent');
    expect(reading).not.toHaveProperty('memoryUsedBytes');
  });

  test('is not shown where it may be a secret', () => {
    const data = {
      console_password: 'hunter2',
      items: [{ name: 'vnc_token', value: 'hunter2' }],
      vnc: 'vnc://u:hunter2@h',
    };
    expect(readLive(data).others).toEqual([{ path: ['vnc'], value: 'vnc://u:…@h' }]);
  });
});
