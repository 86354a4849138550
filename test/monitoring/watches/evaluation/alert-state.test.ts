import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MetricCondition, recoveryThreshold } from '../../../../src/monitoring/watches/condition.ts';
import {
  type Alert,
  advanceAlert,
  isAlertOpen,
} from '../../../../src/monitoring/watches/evaluation/alert.ts';
import {
  type Evaluation,
  evaluateCondition,
} from '../../../../src/monitoring/watches/evaluation/evaluate-condition.ts';
import {
  type CycleObservations,
  nextAlertState,
} from '../../../../src/monitoring/watches/evaluation/next-alert-state.ts';
import {
  nextVpsAlertState,
  okAlertState,
  type VpsAlertState,
} from '../../../../src/monitoring/watches/evaluation/vps-alert-state.ts';
import { type AlertState, initialAlertState, type Watch } from '../../../../src/monitoring/watches/watch.ts';

const minuteMs = 60_000;

const cpuOver: MetricCondition = { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs };

const createRules = ({ forMs, is }: MetricCondition, isMuted = false) => ({
  forMs,
  isLowWorse: is === 'under',
  gapMs: 3 * minuteMs,
  isMuted,
});

/** One minute's reading: a figure, or `null` if it failed. */
type Minute = { readonly figure: number | null; readonly isMuted?: boolean };

function evaluateMetric(condition: MetricCondition, figure: number | null, atMs: number): Evaluation {
  if (figure === null) return evaluateCondition(condition, { atMs });
  return evaluateCondition(condition, { atMs, live: { cpuPercent: figure, unrecognized: [], record: {} } });
}

function evaluateMinutes(minutes: readonly Minute[], condition = cpuOver): readonly VpsAlertState[] {
  const courses: VpsAlertState[] = [];
  for (const [minute, { figure, isMuted }] of minutes.entries()) {
    const observation = evaluateMetric(condition, figure, minute * minuteMs);
    const rules = createRules(condition, isMuted);
    courses.push(nextVpsAlertState(courses.at(-1) ?? okAlertState, observation, rules));
  }
  return courses;
}

const metrics = (...all: readonly (number | null)[]) => all.map((figure) => ({ figure }));
const times = (count: number, figure: number | null) => Array.from({ length: count }, () => figure);

describe('a VPS of a watch', () => {
  test('alerts when the condition was met in all readings of its duration, and not before', () => {
    const courses = evaluateMinutes(metrics(50, ...times(11, 95)));
    expect(courses.map(({ isAlerting }) => isAlerting)).toEqual([...Array(11).fill(false), true]);
    expect(courses.at(-1)).toMatchObject({ sinceMs: minuteMs, worst: 95, latest: 95 });
  });

  test('that alerted before maintenance stays in its alert until it has recovered afterwards', () => {
    const silent = [20, 20, 20, 95, 20].map((figure) => ({ figure, isMuted: true }));
    const states = evaluateMinutes([...metrics(...times(11, 95)), ...silent, ...metrics(20, 20)]);
    const isAlerting = states.map((state) => state.isAlerting);
    expect(isAlerting.slice(10)).toEqual([true, true, true, true, true, true, true, false]);
  });

  test('starts again after one reading below the threshold', () => {
    expect(
      evaluateMinutes(metrics(...times(9, 95), 89, ...times(10, 95))).some(({ isAlerting }) => isAlerting),
    ).toBe(false);
  });

  test('continues despite failed readings, but not despite a long gap', () => {
    expect(evaluateMinutes(metrics(...times(5, 95), null, null, ...times(4, 95))).at(-1)?.isAlerting).toBe(
      true,
    );
    expect(
      evaluateMinutes(metrics(...times(5, 95), ...times(4, null), ...times(9, 95))).at(-1),
    ).toMatchObject({
      isAlerting: false,
      sinceMs: 9 * minuteMs,
    });
  });

  test('neither alerts nor recovers because of failed readings, and keeps its start time', () => {
    const courses = evaluateMinutes(metrics(...times(11, 95), ...times(20, null)));
    expect(courses.at(-1)).toMatchObject({ isAlerting: true, unreadMs: 11 * minuteMs });
    expect(evaluateMinutes(metrics(...times(20, null))).at(-1)).toMatchObject({
      isAlerting: false,
      unreadMs: 0,
    });
  });

  test('recovers after two successive readings well below the threshold, and not after closer ones', () => {
    const isOverAfter = (...more: readonly (number | null)[]) =>
      evaluateMinutes(metrics(...times(11, 95), ...more)).at(-1)?.isAlerting;
    expect(isOverAfter(86, 86, 86, 86)).toBe(true);
    expect(isOverAfter(85)).toBe(true);
    expect(isOverAfter(85, 86, 85)).toBe(true);
    expect(isOverAfter(85, 95, 85)).toBe(true);
    expect(isOverAfter(85, 85)).toBe(false);
    expect(isOverAfter(85, null, 85)).toBe(false);
    expect(evaluateMinutes(metrics(...times(11, 95), 80, 70)).at(-1)?.backMs).toBe(11 * minuteMs);
  });

  test('starts no alert while it is muted, alerts at once when that ends, and stays in an alert', () => {
    const muted = Array.from({ length: 30 }, () => ({ figure: 95, isMuted: true }));
    const courses = evaluateMinutes([...muted, { figure: 95 }]);
    expect(courses.slice(0, -1).some(({ isAlerting }) => isAlerting)).toBe(false);
    expect(courses.at(-1)).toMatchObject({ isAlerting: true, sinceMs: 0 });
    expect(
      evaluateMinutes([...metrics(...times(11, 95)), { figure: 95, isMuted: true }]).at(-1),
    ).toMatchObject({
      isAlerting: true,
      sinceMs: 0,
    });
  });

  test('needs no duration if the condition has none', () => {
    expect(evaluateMinutes(metrics(91), { ...cpuOver, forMs: 0 }).at(-1)?.isAlerting).toBe(true);
  });

  test('works the other way round with a minimum', () => {
    const under: MetricCondition = { ...cpuOver, is: 'under', figure: 20, forMs: 0 };
    const courses = evaluateMinutes(metrics(30, 19, 15, 21, 21.9, 22, 22), under);
    expect(courses.map(({ isAlerting }) => isAlerting)).toEqual([false, true, true, true, true, true, false]);
    expect(courses[2]?.worst).toBe(15);
  });
});

const anyMetricCondition: fc.Arbitrary<MetricCondition> = fc.record({
  measure: fc.constant('cpu' as const),
  is: fc.constantFrom('over' as const, 'under' as const),
  figure: fc.integer({ min: 1, max: 100 }),
  forMs: fc.integer({ min: 0, max: 20 }).map((minutes) => minutes * minuteMs),
});

/** Readings that stay the same for a while. */
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

/** Returns whether a figure is beyond the threshold, and whether it has recovered. */
const isBeyond = ({ is, figure }: MetricCondition, one: number) =>
  is === 'over' ? one > figure : one < figure;
const isRecovered = (condition: MetricCondition, one: number) =>
  condition.is === 'over' ? one <= recoveryThreshold(condition) : one >= recoveryThreshold(condition);

/** Expects that the condition held in all readings of its duration before the alert. */
function expectBreachStart(
  condition: MetricCondition,
  minutes: readonly Minute[],
  minute: number,
  sinceMs: number | null,
) {
  const run = minutes.slice((sinceMs ?? 0) / minuteMs, minute + 1).map(({ figure }) => figure);
  expect(run.every((one) => one === null || isBeyond(condition, one))).toBe(true);
  expect(minute * minuteMs - (sinceMs ?? 0)).toBeGreaterThanOrEqual(condition.forMs);
}

describe('any series of readings', () => {
  test('starts an alert only after readings that all met the condition, for long enough', () => {
    fc.assert(
      fc.property(anyMetricCondition, anyMinutes, (condition, minutes) => {
        const courses = evaluateMinutes(minutes, condition);
        for (const [minute, { isAlerting, sinceMs }] of courses.entries()) {
          // An alert goes on while the figure is near the threshold.
          const wasOver = courses
            .slice((sinceMs ?? 0) / minuteMs, minute)
            .some((before) => before.isAlerting);
          if (isAlerting && !wasOver) expectBreachStart(condition, minutes, minute, sinceMs);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('ends it only after a recovery while it is not muted, and starts none while it is', () => {
    fc.assert(
      fc.property(anyMetricCondition, anyMinutes, (condition, minutes) => {
        const courses = evaluateMinutes(minutes, condition);
        const ends = courses.flatMap(({ isAlerting }, minute) =>
          !isAlerting && courses[minute - 1]?.isAlerting ? [minutes[minute]] : [],
        );
        for (const end of ends) {
          const figure = end?.figure ?? null;
          expect(!end?.isMuted && figure !== null && isRecovered(condition, figure)).toBe(true);
        }
        const starts = courses.flatMap(({ isAlerting }, minute) =>
          isAlerting && !courses[minute - 1]?.isAlerting ? [minutes[minute]] : [],
        );
        expect(starts.some((start) => start?.isMuted)).toBe(false);
      }),
    );
  });

  test('can recover, whatever its threshold', () => {
    fc.assert(
      fc.property(anyMetricCondition, (condition) => {
        const best = condition.is === 'over' ? 0 : 100;
        expect(evaluateMetric(condition, best, 0).result).toBe('recovered');
      }),
    );
  });
});

describe('the message of a watch', () => {
  const names = ['VPS-1', 'VPS-2', 'VPS-3'];

  /** Advances all VPS by one minute. */
  function stepsOf(
    condition: MetricCondition,
    fleet: readonly (readonly Minute[])[],
    minute: number,
    courses: Map<string, VpsAlertState>,
  ) {
    return names.map((vps, index) => {
      const { figure, isMuted } = fleet[index]?.[minute] ?? { figure: null };
      const before = courses.get(vps) ?? okAlertState;
      const observation = evaluateMetric(condition, figure, minute * minuteMs);
      const after = nextVpsAlertState(before, observation, createRules(condition, isMuted));
      courses.set(vps, after);
      return { vps, before, after };
    });
  }

  test('never starts twice without an end, and always lists exactly the alerting VPS', () => {
    const fleets = fc.array(anyMinutes, { minLength: names.length, maxLength: names.length });
    const shown = fc.array(fc.boolean(), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(anyMetricCondition, fleets, shown, (condition, fleet, isShown) => {
        const courses = new Map<string, VpsAlertState>();
        let alert: Alert | undefined;
        for (const [minute, isShownNow] of isShown.entries()) {
          const before = alert;
          alert = advanceAlert(before, stepsOf(condition, fleet, minute, courses), minute * minuteMs);
          // An alert stays until Slack has shown its end.
          expect(alert?.beganMs ?? minute * minuteMs).toBe(before?.beganMs ?? minute * minuteMs);
          expect(before && !alert).toBeFalsy();
          expect(openIn(alert)).toEqual(names.filter((vps) => courses.get(vps)?.isAlerting));
          // Slack shows it eventually; an ended alert is then removed.
          if (alert && isShownNow)
            alert = isAlertOpen(alert) ? { ...alert, isStale: false, joined: [] } : undefined;
        }
      }),
    );
  });

  const openIn = (alert: Alert | undefined) =>
    Object.entries(alert?.members ?? {})
      .flatMap(([vps, { endedMs }]) => (endedMs === null ? [vps] : []))
      .sort();

  test('notifies again about a VPS that rejoins', () => {
    const over: VpsAlertState = { ...okAlertState, isAlerting: true, sinceMs: 0, worst: 95, latest: 95 };
    const back: VpsAlertState = { ...okAlertState, backMs: minuteMs };
    const step = (vps: string, before: VpsAlertState, after: VpsAlertState) => ({
      vps,
      before,
      after,
    });
    let alert = advanceAlert(
      undefined,
      [step('VPS-1', okAlertState, over), step('VPS-2', okAlertState, over)],
      0,
    );
    expect(alert?.joined).toEqual([]);
    alert = advanceAlert(alert, [step('VPS-1', over, back)], 2 * minuteMs);
    expect(alert?.members['VPS-1']).toMatchObject({ endedMs: minuteMs, ending: 'back' });
    alert = advanceAlert(alert, [step('VPS-1', back, over)], 3 * minuteMs);
    expect(alert?.joined).toEqual(['VPS-1']);
    expect(alert?.members['VPS-1']).toMatchObject({ endedMs: null });
  });
});

const nowMs = Date.parse('2026-11-23T08:00Z');

const watch: Watch = {
  id: 'w',
  teamId: 'T0ACME',
  name: 'State',
  channel: 'C0OPS',
  vps: 'VPS-1*',
  condition: { measure: 'state', is: 'is not', state: 'running', forMs: 0 },
  createdBy: 'U0ALICE',
  state: { kind: 'active' },
  createdMs: 0,
  nextMs: null,
  skippedMs: null,
  skippedBy: null,
  occurrence: null,
  version: 0,
  alertState: initialAlertState,
};

interface Cycle {
  /** The minute of the cycle. */
  readonly at?: number;
  readonly vps?: string;
  /** What the service's list says beside the states. */
  readonly fleet?: Partial<Extract<CycleObservations['fleet'], { kind: 'listed' }>['fleet']>;
  readonly rest?: Partial<CycleObservations>;
}

/** Evaluates the watch once, with these states of VPS. */
const cycle = (
  alertState: AlertState,
  states: Readonly<Record<string, string>>,
  { at = 0, vps = watch.vps, fleet, rest }: Cycle = {},
) =>
  nextAlertState(
    { ...watch, vps, alertState },
    {
      fleet: {
        kind: 'listed',
        fleet: { states: new Map(Object.entries(states)), mayHaveMore: false, listCalls: 1, ...fleet },
      },
      observed: new Map(),
      nowMs: nowMs + at * minuteMs,
      intervalMs: minuteMs,
      stateMs: minuteMs,
      ...rest,
    },
  );

const stopped = { 'VPS-10001': 'stopped', 'VPS-20001': 'stopped' };
const alerting = () => cycle(initialAlertState, stopped);

describe('a VPS that is no longer in the list', () => {
  test('leaves the message of its watch', () => {
    const { vpsStates, alert } = cycle(alerting(), {}, { at: 1 });
    expect(vpsStates).toEqual({});
    expect(alert?.members).toMatchObject({ 'VPS-10001': { ending: 'gone', endedMs: nowMs + minuteMs } });
  });

  test('counts as unread if the list could be incomplete', () => {
    const fleet = { mayHaveMore: true };
    const first = cycle(alerting(), {}, { at: 1, fleet });
    const { vpsStates, alert } = cycle(first, {}, { at: 2, fleet });
    expect(vpsStates).toMatchObject({
      'VPS-10001': { isAlerting: true, unreadMs: nowMs + minuteMs, unreadReason: 'notListed' },
    });
    expect(alert?.members).toMatchObject({ 'VPS-10001': { endedMs: null, unreadMs: nowMs + minuteMs } });
  });
});

test('the states of a list that was read some minutes ago count from then, and once', () => {
  const readAtMs = nowMs - 5 * minuteMs;
  const read = (atMs: number) => ({ fleet: { readAtMs: atMs }, rest: { stateMs: 7 * minuteMs } });
  const first = cycle(initialAlertState, stopped, read(readAtMs));
  expect(first.vpsStates).toMatchObject({ 'VPS-10001': { sinceMs: readAtMs, readMs: readAtMs } });
  const running = { ...stopped, 'VPS-10001': 'running' };
  const back = cycle(first, running, { at: 1, ...read(nowMs) });
  expect(back.vpsStates).toMatchObject({ 'VPS-10001': { backs: 1 } });
  expect(cycle(back, running, { at: 2, ...read(nowMs) }).vpsStates).toEqual(back.vpsStates);
});

test('maintenance of a VPS in an alert is shown in its message, and so is its end', () => {
  const mutedUntilMs = nowMs + 60 * minuteMs;
  const mute = { mutedUntilMs: () => mutedUntilMs };
  const shown = (state: AlertState): AlertState => ({
    ...state,
    alert: state.alert && { ...state.alert, isStale: false },
  });
  const muted = cycle(shown(alerting()), stopped, { at: 1, rest: mute });
  expect(muted.alert).toMatchObject({
    isStale: true,
    members: { 'VPS-10001': { endedMs: null, mutedUntilMs } },
  });
  expect(cycle(shown(muted), stopped, { at: 2, rest: mute }).alert?.isStale).toBe(false);
  expect(cycle(shown(muted), stopped, { at: 3 }).alert).toMatchObject({
    isStale: true,
    members: { 'VPS-10001': { mutedUntilMs: null } },
  });
});

test('a VPS that got another name leaves the message of a watch that no longer selects it', () => {
  const named = (alias: string) => ({
    vps: 'web-*',
    fleet: { aliases: new Map([['VPS-10001', { full: [alias], short: [] }]]) },
  });
  const before = cycle(initialAlertState, stopped, named('web-01'));
  expect(before.vpsStates).toMatchObject({ 'VPS-10001': { isAlerting: true } });
  const { vpsStates, alert } = cycle(before, stopped, { at: 1, ...named('db-01') });
  expect(vpsStates).toEqual({});
  expect(alert?.members).toMatchObject({
    'VPS-10001': { ending: 'unselected', endedMs: nowMs + minuteMs },
  });
});

test('a list that could not be read is stored with its reason', () => {
  const { vpsStates } = nextAlertState(watch, {
    fleet: { kind: 'unread', reason: 'quotaExceeded' },
    observed: new Map(),
    nowMs,
    intervalMs: minuteMs,
    stateMs: minuteMs,
  });
  expect(vpsStates).toMatchObject({ '*': { unreadMs: nowMs, unreadReason: 'quotaExceeded' } });
});
