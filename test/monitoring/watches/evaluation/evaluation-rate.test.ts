import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callsPerMinute, remainingThroughput } from '../../../../src/monitoring/shared/throughput.ts';
import { evaluationRate, watchShare } from '../../../../src/monitoring/watches/evaluation/evaluation-rate.ts';
import { nextInRotation } from '../../../../src/monitoring/watches/evaluation/observe-fleet.ts';

const throughput = { backgroundLimit: 40, holdMs: 60_250 };

describe('the evaluation rate', () => {
  test.each([
    [0, 1, 1],
    [12, 12, 1],
    [18, 18, 1],
    [19, 18, 2],
    [200, 18, 12],
  ])('for %i VPS: %i per cycle, each every %i min', (vps, vpsPerCycle, minutes) => {
    expect(evaluationRate(vps, throughput)).toEqual({ vpsPerCycle, intervalMs: minutes * 60_000 });
  });

  test('leaves reports half of the lane', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 10, max: 500 }), (vpsCount, backgroundLimit) => {
        const pace = { backgroundLimit, holdMs: 60_250 };
        const calls = evaluationRate(vpsCount, pace).vpsPerCycle + 1;
        expect(calls).toBeLessThanOrEqual(Math.max(2, callsPerMinute(pace) * watchShare));
        const left = remainingThroughput(pace, calls).backgroundLimit;
        expect(left).toBeGreaterThanOrEqual(1);
        expect(left).toBeLessThan(backgroundLimit);
      }),
    );
  });

  test('rotates: every VPS is read as often as any other, however the list changes', () => {
    const names = Array.from({ length: 7 }, (_, index) => `VPS-${index}`);
    const read: string[] = [];
    let last: string | null = null;
    for (let round = 0; round < 7; round += 1) {
      const now = nextInRotation(names, last, 3);
      read.push(...now);
      last = now.at(-1) ?? last;
    }
    for (const name of names) expect(read.filter((one) => one === name)).toHaveLength(3);
    expect(nextInRotation(['VPS-1', 'VPS-3'], 'VPS-2', 1)).toEqual(['VPS-3']);
    expect(nextInRotation(['VPS-1', 'VPS-3'], 'VPS-9', 1)).toEqual(['VPS-1']);
    expect(nextInRotation([], 'VPS-9', 1)).toEqual([]);
  });
});
