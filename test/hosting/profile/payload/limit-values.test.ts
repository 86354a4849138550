import { describe, expect, test } from 'vitest';
import { readLiveMetrics } from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';
import { limitValues, maxValues } from '../../../../src/hosting/profile/payload/limit-values.ts';
import { applyCorrections } from '../../../../src/hosting/profile/readings/places.ts';
import { readReinstallOptions } from '../../../../src/hosting/profile/resources/vps/reinstall-options.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a payload with very many values', () => {
  test('is cut, and its outermost values are kept', () => {
    const { data, isCut } = limitValues({ points: numbers(maxValues), cpu: 12 });
    expect(isCut).toBe(true);
    expect(data).toMatchObject({ cpu: 12, points: { length: maxValues - 2 } });
  });

  test('is left as it is up to the limit', () => {
    const payload = { points: numbers(maxValues - 1) };
    expect(limitValues(payload)).toEqual({ data: payload, isCut: false });
    expect(limitValues(payload).data).toBe(payload);
  });

  test('can have a field named __proto__', () => {
    const payload: unknown = JSON.parse(`{"__proto__": {"cpu": 1}, "points": [${numbers(maxValues)}]}`);
    const { data } = limitValues(payload);
    expect(Object.keys(data as object)).toEqual(['__proto__', 'points']);
    expect((data as { readonly cpu?: unknown }).cpu).toBeUndefined();
  });

  test('has live figures from its outermost values', () => {
    const live = readLiveMetrics({
      samples: numbers(150_000).map((value) => [value, value]),
      cpu_percent: 12,
    });
    expect(live).toMatchObject({ cpuPercent: 12, isCut: true });
    expect(live.unrecognized.length).toBeLessThan(maxValues);
  });

  test('is still read as a person corrected it', () => {
    const payload = { samples: numbers(maxValues), load_a: 40, cpu_percent: 12 };
    const corrected = applyCorrections(payload, [{ reading: 'live.cpu', field: 'load_a' }]);
    expect(readLiveMetrics(corrected)).toMatchObject({ cpuPercent: 40, isCut: true });
  });

  test('offers only as many systems as were read', () => {
    const { operatingSystems, isCut } = readReinstallOptions({
      os: numbers(150_000).map((index) => `debian-${index}`),
    });
    expect(isCut).toBe(true);
    expect(operatingSystems).toHaveLength(maxValues - 1);
  });
});
