import { describe, expect, test } from 'vitest';
import { isBroken, isComplete } from '../../src/operations/snapshot/snapshot-state.ts';
import { parseKeepRule, toKeepText } from '../../src/schedules/retention/keep-rule.ts';
import { planRetention, selectKept } from '../../src/schedules/retention/plan-retention.ts';
import { createTimetable } from '../../src/time/timetable.ts';

const zone = 'Europe/Berlin';

/** Returns random numbers that are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Formatting is slow. */
const days = new Map<number, string>();

const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });

/**
 * The policy said in another way: of all snapshots that were ever taken, keep each that is the last
 * of one of the latest days, weeks or months that have one.
 */
function expectedOf(taken: readonly number[]): readonly number[] {
  const dayOf = (ms: number) => {
    const known = days.get(ms) ?? dayFormat.format(ms);
    days.set(ms, known);
    return known;
  };
  const monthOf = (ms: number) => dayOf(ms).slice(0, 7);
  const weekOf = (ms: number) => {
    const date = new Date(`${dayOf(ms)}T12:00Z`);
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    return date.toISOString().slice(0, 10);
  };
  const lastOfEach = (periodOf: (ms: number) => string, count: number) =>
    [...new Map(taken.map((ms) => [periodOf(ms), ms])).values()].slice(-count);
  const kept = new Set([...lastOfEach(dayOf, 7), ...lastOfEach(weekOf, 4), ...lastOfEach(monthOf, 6)]);
  return taken.filter((one) => kept.has(one));
}

const rule = { hours: 0, days: 7, weeks: 4, months: 6, years: 0 };

describe('what retention keeps', () => {
  test('is exactly what the policy says on each day of a year with clock changes and failures', () => {
    const random = createRandom(17);
    const timetable = createTimetable({ kind: 'day', at: '02:30', zone, quiet: [] });
    const keep = { keep: rule, timing: { kind: 'once', atMs: 0, zone } } as const;
    const taken: number[] = [];
    let stored: { vps: string; name: string; takenMs: number; state: 'available' }[] = [];
    let atMs = Date.parse('2026-01-01T00:00Z');
    for (let day = 0; day < 366; day += 1) {
      atMs = timetable.after(atMs)?.atMs ?? atMs;
      // A failed snapshot, or a day on which Rackhand was down: nothing is taken and nothing deleted.
      if (random() < 0.15) continue;
      const name = `s-${atMs}`;
      taken.push(atMs);
      stored.push({ vps: 'VPS-10001', name, takenMs: atMs, state: 'available' });
      const others = [{ name: 'by-hand', state: 'available' }];
      const listed = [...others, ...stored.map((one) => ({ name: one.name, state: one.state }))];
      const { deletions } = planRetention(keep, stored, { snapshots: listed, hasMore: false });
      expect(deletions).not.toContain('by-hand');
      expect(deletions).not.toContain(name);
      stored = stored.filter((one) => !deletions.includes(one.name));
      expect(stored.map(({ takenMs }) => takenMs)).toEqual(expectedOf(taken));
    }
    expect(taken.length).toBeGreaterThan(250);
  });

  test('always includes the newest snapshot', () => {
    const only = { takenMs: 5 };
    expect([...selectKept([only, { takenMs: 1 }], { ...rule, days: 1, weeks: 0, months: 0 }, zone)]).toEqual([
      only,
    ]);
  });
});

describe('a plan of deletions', () => {
  const schedule = {
    keep: { ...rule, days: 1, weeks: 0, months: 0 },
    timing: { kind: 'once', atMs: 0, zone },
  } as const;
  const own = (name: string, day: number, state: 'taking' | 'available' = 'available') => {
    return { vps: 'VPS-1', name, takenMs: day * 86_400_000, state };
  };

  test('counts only complete snapshots, and deletes only those that the service lists as complete', () => {
    const stored = [own('a', 1), own('b', 2), own('c', 3, 'taking'), own('d', 4)];
    const snapshots = [
      { name: 'a', state: 'available' },
      { name: 'b', state: 'available' },
      { name: 'c', state: 'creating' },
      { name: 'd', state: 'failed' },
    ];
    const plan = planRetention(schedule, stored, { snapshots, hasMore: false });
    expect(plan).toEqual({ deletions: ['a'], gone: [], completed: [] });
  });

  test('leaves snapshots alone whose state the service does not show', () => {
    const snapshots = [{ name: 'a' }, { name: 'b' }];
    const plan = planRetention(schedule, [own('a', 1), own('b', 2)], { snapshots, hasMore: false });
    expect(plan.deletions).toEqual([]);
  });

  test('takes a snapshot as deleted only if the whole list lacks it', () => {
    const snapshots = [{ name: 'b', state: 'available' }];
    const stored = [own('a', 1), own('b', 2)];
    expect(planRetention(schedule, stored, { snapshots, hasMore: true }).gone).toEqual([]);
    expect(planRetention(schedule, stored, { snapshots, hasMore: false }).gone).toEqual(['a']);
  });
});

describe('a rule for keeping', () => {
  test.each(['7d,4w,6m', '24h', '3d 1y'])('is read and written: %s', (text) => {
    const parsed = parseKeepRule(text);
    expect(parsed && parseKeepRule(toKeepText(parsed))).toEqual(parsed);
  });

  test.each(['', '0d', '7', 'd', '7d,7d', '-1d', '401d', '7x'])('is refused: "%s"', (text) => {
    expect(parseKeepRule(text)).toBeUndefined();
  });
});

describe('only words that say so make a snapshot complete', () => {
  test.each(['available', 'Available', 'complete', 'completed', 'ready', 'ok', 'active'])(
    '%s does',
    (state) => {
      expect(isComplete(state)).toBe(true);
    },
  );

  test.each([
    'unavailable',
    'incomplete',
    'not ready',
    'partial',
    'missing',
    'aborted',
    'canceled',
    'unknown',
    'expired',
    'new',
    'lost',
    'offline',
    'creating',
    'inactive',
    '',
    undefined,
  ])('%s does not', (state) => {
    expect(isComplete(state)).toBe(false);
  });

  test('a broken one is never waited for', () => {
    expect(['failed', 'error', 'corrupted', 'deleting'].every(isBroken)).toBe(true);
    expect(['creating', 'available', 'queued'].some(isBroken)).toBe(false);
  });

  test.each(['unavailable', 'partial'])(
    'one that is %s is neither deleted nor counts for what is kept',
    (state) => {
      const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
      const own = [1, 2, 3].map((day) => ({
        vps: 'VPS-10001',
        name: `s${day}`,
        takenMs: day * 86_400_000,
        state: 'available' as const,
      }));
      const listed = own.map(({ name }, index) => ({ name, state: index === 2 ? state : 'available' }));
      const timing = { kind: 'once', atMs: 0, zone } as const;
      const { deletions } = planRetention({ keep, timing }, own, { snapshots: listed, hasMore: false });
      expect(deletions).toEqual(['s1']);
    },
  );
});
