import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backAt, type Figured } from '../../src/watches/condition.ts';
import { advance, type Course, calm } from '../../src/watches/course.ts';
import { follow, type Incident, isOpen } from '../../src/watches/incident.ts';
import { judge, type Look } from '../../src/watches/judge.ts';

const minuteMs = 60_000;

const cpuOver: Figured = { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs };

const rulesOf = ({ forMs, is }: Figured, isMuted = false) => ({
  forMs,
  isLowWorse: is === 'under',
  gapMs: 3 * minuteMs,
  isMuted,
});

/** A reading of a minute: a figure, or `null` where none could be read. */
type Minute = { readonly figure: number | null; readonly isMuted?: boolean };

function lookOf(condition: Figured, figure: number | null, atMs: number): Look {
  if (figure === null) return judge(condition, { atMs });
  return judge(condition, { atMs, live: { cpuPercent: figure, others: [], record: {} } });
}

function go(minutes: readonly Minute[], condition = cpuOver): readonly Course[] {
  const courses: Course[] = [];
  for (const [minute, { figure, isMuted }] of minutes.entries()) {
    const look = lookOf(condition, figure, minute * minuteMs);
    courses.push(advance(courses.at(-1) ?? calm, look, rulesOf(condition, isMuted)));
  }
  return courses;
}

const figures = (...all: readonly (number | null)[]) => all.map((figure) => ({ figure }));
const times = (count: number, figure: number | null) => Array.from({ length: count }, () => figure);

describe('one VPS of a watch', () => {
  test('is over when the condition has held through all readings of its time, and not before', () => {
    const courses = go(figures(50, ...times(11, 95)));
    expect(courses.map(({ isOver }) => isOver)).toEqual([...Array(11).fill(false), true]);
    expect(courses.at(-1)).toMatchObject({ sinceMs: minuteMs, worst: 95, latest: 95 });
  });

  test('begins anew after one reading that is not over', () => {
    expect(go(figures(...times(9, 95), 89, ...times(10, 95))).some(({ isOver }) => isOver)).toBe(false);
  });

  test('goes on over what could not be read, but not over a long gap', () => {
    expect(go(figures(...times(5, 95), null, null, ...times(4, 95))).at(-1)?.isOver).toBe(true);
    expect(go(figures(...times(5, 95), ...times(4, null), ...times(9, 95))).at(-1)).toMatchObject({
      isOver: false,
      sinceMs: 9 * minuteMs,
    });
  });

  test('is neither over nor back for what cannot be read, and keeps since when', () => {
    const courses = go(figures(...times(11, 95), ...times(20, null)));
    expect(courses.at(-1)).toMatchObject({ isOver: true, unreadMs: 11 * minuteMs });
    expect(go(figures(...times(20, null))).at(-1)).toMatchObject({ isOver: false, unreadMs: 0 });
  });

  test('ends by two readings in a row that are well back, and by nothing nearer', () => {
    const isOverAfter = (...more: readonly (number | null)[]) =>
      go(figures(...times(11, 95), ...more)).at(-1)?.isOver;
    expect(isOverAfter(86, 86, 86, 86)).toBe(true);
    expect(isOverAfter(85)).toBe(true);
    expect(isOverAfter(85, 86, 85)).toBe(true);
    expect(isOverAfter(85, 95, 85)).toBe(true);
    expect(isOverAfter(85, 85)).toBe(false);
    expect(isOverAfter(85, null, 85)).toBe(false);
    expect(go(figures(...times(11, 95), 80, 70)).at(-1)?.backMs).toBe(11 * minuteMs);
  });

  test('begins nothing while it is muted, and is told at once when that ends', () => {
    const muted = Array.from({ length: 30 }, () => ({ figure: 95, isMuted: true }));
    const courses = go([...muted, { figure: 95 }]);
    expect(courses.slice(0, -1).some(({ isOver }) => isOver)).toBe(false);
    expect(courses.at(-1)).toMatchObject({ isOver: true, sinceMs: 0 });
    expect(go([...figures(...times(11, 95)), { figure: 95, isMuted: true }]).at(-1)).toMatchObject({
      isOver: false,
      sinceMs: 0,
    });
  });

  test('needs no time where none is asked for', () => {
    expect(go(figures(91), { ...cpuOver, forMs: 0 }).at(-1)?.isOver).toBe(true);
  });

  test('reads the other way round under a threshold', () => {
    const under: Figured = { ...cpuOver, is: 'under', figure: 20, forMs: 0 };
    const courses = go(figures(30, 19, 15, 21, 21.9, 22, 22), under);
    expect(courses.map(({ isOver }) => isOver)).toEqual([false, true, true, true, true, true, false]);
    expect(courses[2]?.worst).toBe(15);
  });
});

const anyFigured: fc.Arbitrary<Figured> = fc.record({
  measure: fc.constant('cpu' as const),
  is: fc.constantFrom('over' as const, 'under' as const),
  figure: fc.integer({ min: 1, max: 100 }),
  forMs: fc.integer({ min: 0, max: 20 }).map((minutes) => minutes * minuteMs),
});

/** Readings that stay as they are for a while, as figures do. */
const anyMinutes: fc.Arbitrary<readonly Minute[]> = fc
  .array(
    fc.record({
      figure: fc.oneof(fc.constantFrom(null, 0, 86, 95, 100), fc.integer({ min: 0, max: 100 })),
      isMuted: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
      minutes: fc.integer({ min: 1, max: 25 }),
    }),
    { maxLength: 12 },
  )
  .map((spans) => spans.flatMap(({ minutes, ...minute }) => Array.from({ length: minutes }, () => minute)));

/** Tells whether a figure is beyond the threshold, and whether it is well back. */
const isBeyond = ({ is, figure }: Figured, one: number) => (is === 'over' ? one > figure : one < figure);
const isBack = (condition: Figured, one: number) =>
  condition.is === 'over' ? one <= backAt(condition) : one >= backAt(condition);

/** Expects that what began had held through all readings of its time. */
function expectBegin(condition: Figured, minutes: readonly Minute[], minute: number, sinceMs: number | null) {
  const run = minutes.slice((sinceMs ?? 0) / minuteMs, minute + 1).map(({ figure }) => figure);
  expect(run.every((one) => one === null || isBeyond(condition, one))).toBe(true);
  expect(minute * minuteMs - (sinceMs ?? 0)).toBeGreaterThanOrEqual(condition.forMs);
}

describe('any course', () => {
  test('begins only after readings that are all over, for long enough', () => {
    fc.assert(
      fc.property(anyFigured, anyMinutes, (condition, minutes) => {
        const courses = go(minutes, condition);
        for (const [minute, { isOver, sinceMs }] of courses.entries()) {
          // What was over goes on where a mute ends, as near as it came in between.
          const wasOver = courses.slice((sinceMs ?? 0) / minuteMs, minute).some((before) => before.isOver);
          if (isOver && !wasOver) expectBegin(condition, minutes, minute, sinceMs);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('ends only well back, or muted; and is never over while it is muted', () => {
    fc.assert(
      fc.property(anyFigured, anyMinutes, (condition, minutes) => {
        const courses = go(minutes, condition);
        const ends = courses.flatMap(({ isOver }, minute) =>
          !isOver && courses[minute - 1]?.isOver ? [minutes[minute]] : [],
        );
        for (const end of ends) {
          const figure = end?.figure ?? null;
          expect(end?.isMuted || (figure !== null && isBack(condition, figure))).toBe(true);
        }
        expect(courses.some(({ isOver }, minute) => isOver && minutes[minute]?.isMuted)).toBe(false);
      }),
    );
  });

  test('can end, whatever its threshold', () => {
    fc.assert(
      fc.property(anyFigured, (condition) => {
        const best = condition.is === 'over' ? 0 : 100;
        expect(lookOf(condition, best, 0).verdict).toBe('back');
      }),
    );
  });
});

describe('the message of a watch', () => {
  const names = ['VPS-1', 'VPS-2', 'VPS-3'];

  /** Goes on with all VPS by one minute. */
  function stepsOf(
    condition: Figured,
    fleet: readonly (readonly Minute[])[],
    minute: number,
    courses: Map<string, Course>,
  ) {
    return names.map((vps, index) => {
      const { figure, isMuted } = fleet[index]?.[minute] ?? { figure: null };
      const before = courses.get(vps) ?? calm;
      const look = lookOf(condition, figure, minute * minuteMs);
      const after = advance(before, look, rulesOf(condition, isMuted));
      courses.set(vps, after);
      return { vps, before, after, isGone: false };
    });
  }

  test('never begins twice without an end, and always tells of exactly those that are over', () => {
    const fleets = fc.array(anyMinutes, { minLength: names.length, maxLength: names.length });
    const shown = fc.array(fc.boolean(), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(anyFigured, fleets, shown, (condition, fleet, isShown) => {
        const courses = new Map<string, Course>();
        let incident: Incident | undefined;
        for (const [minute, isShownNow] of isShown.entries()) {
          const before = incident;
          incident = follow(before, stepsOf(condition, fleet, minute, courses), minute * minuteMs);
          // What has begun goes on until Slack has shown its end.
          expect(incident?.beganMs ?? minute * minuteMs).toBe(before?.beganMs ?? minute * minuteMs);
          expect(before && !incident).toBeFalsy();
          expect(openIn(incident)).toEqual(names.filter((vps) => courses.get(vps)?.isOver));
          // Slack shows it, sooner or later; what has ended is done with then.
          if (incident && isShownNow)
            incident = isOpen(incident) ? { ...incident, isStale: false, joined: [] } : undefined;
        }
      }),
    );
  });

  const openIn = (incident: Incident | undefined) =>
    Object.entries(incident?.members ?? {})
      .flatMap(([vps, { endedMs }]) => (endedMs === null ? [vps] : []))
      .sort();

  test('has whoever joins again told again', () => {
    const over: Course = { ...calm, isOver: true, sinceMs: 0, worst: 95, latest: 95 };
    const back: Course = { ...calm, backMs: minuteMs };
    const step = (vps: string, before: Course, after: Course) => ({ vps, before, after, isGone: false });
    let incident = follow(undefined, [step('VPS-1', calm, over), step('VPS-2', calm, over)], 0);
    expect(incident?.joined).toEqual([]);
    incident = follow(incident, [step('VPS-1', over, back)], 2 * minuteMs);
    expect(incident?.members['VPS-1']).toMatchObject({ endedMs: minuteMs, ending: 'back' });
    incident = follow(incident, [step('VPS-1', back, over)], 3 * minuteMs);
    expect(incident?.joined).toEqual(['VPS-1']);
    expect(incident?.members['VPS-1']).toMatchObject({ endedMs: null });
  });
});
