import { describe, expect, test } from 'vitest';
import {
  type CycleObservations,
  nextAlertState,
} from '../../../../src/monitoring/watches/evaluation/next-alert-state.ts';
import { type AlertState, initialAlertState, type Watch } from '../../../../src/monitoring/watches/watch.ts';

const minuteMs = 60_000;
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
