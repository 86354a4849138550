import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { besideOthers, callsPerMinute } from '../../src/reports/pace.ts';
import { nextToRead } from '../../src/watches/look.ts';
import { paceOf, watchShare } from '../../src/watches/pace.ts';

const lane = { backgroundLimit: 40, holdMs: 60_250 };

describe('the pace of watches', () => {
  test.each([
    [0, 0, 1, 1],
    [12, 0, 12, 1],
    [18, 0, 18, 1],
    [19, 0, 18, 2],
    [200, 0, 18, 12],
    [12, 30, 4, 3],
  ])(
    '%i VPS beside reports that make %i calls a minute: %i in a round, each every %i min',
    (vps, reports, perRound, minutes) => {
      expect(paceOf(vps, lane, reports)).toEqual({ perRound, everyMs: minutes * 60_000 });
    },
  );

  test('takes no more than its part of the lane, and leaves reports theirs', () => {
    const limits = fc.integer({ min: 10, max: 500 });
    fc.assert(
      fc.property(fc.nat(500), limits, fc.nat(400), (vpsCount, backgroundLimit, reportsPerMinute) => {
        const pace = { backgroundLimit, holdMs: 60_250 };
        const { perRound } = paceOf(vpsCount, pace, reportsPerMinute);
        const calls = perRound + 1;
        expect(calls).toBeLessThanOrEqual(Math.max(2, callsPerMinute(pace) * watchShare));
        if (calls > 2) expect(calls + reportsPerMinute).toBeLessThanOrEqual(callsPerMinute(pace));
        const left = besideOthers(pace, calls).backgroundLimit;
        expect(left).toBeGreaterThanOrEqual(1);
        expect(left).toBeLessThan(backgroundLimit);
      }),
    );
  });

  test('goes round: every VPS is read as often as any other, whatever the list becomes meanwhile', () => {
    const names = Array.from({ length: 7 }, (_, index) => `VPS-${index}`);
    const read: string[] = [];
    let last: string | null = null;
    for (let round = 0; round < 7; round += 1) {
      const now = nextToRead(names, last, 3);
      read.push(...now);
      last = now.at(-1) ?? last;
    }
    for (const name of names) expect(read.filter((one) => one === name)).toHaveLength(3);
    expect(nextToRead(['VPS-1', 'VPS-3'], 'VPS-2', 1)).toEqual(['VPS-3']);
    expect(nextToRead(['VPS-1', 'VPS-3'], 'VPS-9', 1)).toEqual(['VPS-1']);
    expect(nextToRead([], 'VPS-9', 1)).toEqual([]);
  });
});
