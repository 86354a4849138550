import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFact } from '../../../src/operations/format/facts.ts';
import { parseFieldQuantity } from '../../../src/operations/format/parse-field-quantity.ts';

const gib = 1024 ** 3;

describe('the name of a field gives the unit of its number', () => {
  test.each([
    [['memory_mb'], 8192, 'Memory', { kind: 'bytes', bytes: 8 * gib }],
    [['memoryMB'], '8192', 'Memory', { kind: 'bytes', bytes: 8 * gib }],
    [['memory', 'total_mib'], 8192, 'Memory total', { kind: 'bytes', bytes: 8 * gib }],
    [['disk_gb'], 80, 'Disk', { kind: 'bytes', bytes: 80 * gib }],
    [['disk', 'sizeGiB'], 80, 'Disk size', { kind: 'bytes', bytes: 80 * gib }],
    [['used_bytes'], 512, 'Used', { kind: 'bytes', bytes: 512 }],
    [['bytes'], 512, 'Bytes', { kind: 'bytes', bytes: 512 }],
    [['maxmem'], 8 * gib, 'Maxmem', { kind: 'bytes', bytes: 8 * gib }],
    [['cpu_percent'], 12.5, 'CPU', { kind: 'percent', percent: 12.5 }],
    [['usage', 'pct'], 40, 'Usage pct', { kind: 'percent', percent: 40 }],
    [['uptime'], 86_400, 'Uptime', { kind: 'duration', durationMs: 86_400_000 }],
    [['vm', 'uptime_seconds'], '60', 'Vm uptime', { kind: 'duration', durationMs: 60_000 }],
    [['retention_days'], 7, 'Retention', { kind: 'duration', durationMs: 7 * 86_400_000 }],
    [['created_at'], 1_767_225_600, 'Created at', { kind: 'time', timeMs: 1_767_225_600_000 }],
    [['expiresAt'], 1_767_225_600_000, 'Expires at', { kind: 'time', timeMs: 1_767_225_600_000 }],
    [['started'], '2026-01-01T00:00:00Z', 'Started', { kind: 'time', timeMs: 1_767_225_600_000 }],
  ])('%j: %j is %s: %j', (path, value, label, expected) => {
    expect(formatFact(path, value)).toEqual({ label, value: expected });
  });

  test.each([
    [['memory_mb'], -1],
    [['memory'], 8192],
    [['disk'], 80],
    [['thumb'], 3],
    [['weight_min'], 2],
    [['access', 'quota_per_minute'], 50],
    [['quotaPerMinute'], 50],
    [['traffic_mb_per_day'], 5],
    [['port_vps_ssh'], 22],
    [['id'], 1_767_225_600],
    [['location'], 1_767_225_600],
    [['created_at'], 12],
    [['uptime'], 9e15],
    [['memory_mb'], 'plenty'],
    [['latency_ms'], 12],
  ])('%j: %j stays as it is', (path, value) => {
    expect(parseFieldQuantity(path, value)).toBeUndefined();
    expect(formatFact(path, value).value).toBe(String(value));
  });

  test('keeps its unit if another field has the name without it', () => {
    expect(formatFact(['disk_gb'], 80, ['disk', 'disk_gb']).label).toBe('Disk GB');
  });

  test('never turns a value into anything but a finite number', () => {
    const field = fc.constantFrom(
      'memory_mb',
      'uptime',
      'cpu_percent',
      'created_at',
      'ttl_seconds',
      'disk',
      'maxmem',
    );
    fc.assert(
      fc.property(field, fc.oneof(fc.double(), fc.string(), fc.bigInt().map(String)), (name, value) => {
        const quantity = parseFieldQuantity([name], value);
        const { kind: _, ...numbers } = quantity?.value ?? {};
        expect(Object.values(numbers).every((part) => Number.isFinite(part))).toBe(true);
      }),
    );
  });
});
