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

/** Runs one cycle a minute with these states. The list can have further pages. */
function evaluateCycles(
  lists: readonly Readonly<Record<string, string>>[],
  mayHaveMore: boolean,
): AlertState {
  return lists.reduce<AlertState>((alertState, states, index) => {
    const sight: CycleObservations = {
      fleet: {
        kind: 'listed',
        fleet: { states: new Map(Object.entries(states)), mayHaveMore, listCalls: 1 },
      },
      observed: new Map(),
      nowMs: nowMs + index * minuteMs,
      intervalMs: minuteMs,
      stateMs: minuteMs,
    };
    return nextAlertState({ ...watch, alertState }, sight);
  }, initialAlertState);
}

const stopped = { 'VPS-10001': 'stopped', 'VPS-20001': 'stopped' };

describe('a VPS that is no longer in the list', () => {
  test('leaves the message of its watch', () => {
    const { vpsStates, incident } = evaluateCycles([stopped, {}], false);
    expect(vpsStates).toEqual({});
    expect(incident?.members).toMatchObject({ 'VPS-10001': { ending: 'gone', endedMs: nowMs + minuteMs } });
  });

  test('counts as unread if the list could be incomplete', () => {
    const { vpsStates, incident } = evaluateCycles([stopped, {}, {}], true);
    expect(vpsStates).toMatchObject({
      'VPS-10001': { isAlerting: true, unreadMs: nowMs + minuteMs, unreadReason: 'notListed' },
    });
    expect(incident?.members).toMatchObject({ 'VPS-10001': { endedMs: null, unreadMs: nowMs + minuteMs } });
  });
});

describe('the states of a list that was read some minutes ago', () => {
  const readAtMs = nowMs - 5 * minuteMs;
  const cycle = (
    alertState: AlertState,
    states: Readonly<Record<string, string>>,
    index: number,
    atMs = readAtMs,
  ) =>
    nextAlertState(
      { ...watch, alertState },
      {
        fleet: {
          kind: 'listed',
          fleet: {
            states: new Map(Object.entries(states)),
            mayHaveMore: false,
            listCalls: 100,
            readAtMs: atMs,
          },
        },
        observed: new Map(),
        nowMs: nowMs + index * minuteMs,
        intervalMs: minuteMs,
        stateMs: 7 * minuteMs,
      },
    );

  test('count from when the list was read, and once', () => {
    const first = cycle(initialAlertState, stopped, 0);
    expect(first.vpsStates).toMatchObject({ 'VPS-10001': { sinceMs: readAtMs, readMs: readAtMs } });
    const back = cycle(first, { ...stopped, 'VPS-10001': 'running' }, 1, nowMs);
    expect(back.vpsStates).toMatchObject({ 'VPS-10001': { backs: 1 } });
    expect(cycle(back, { ...stopped, 'VPS-10001': 'running' }, 2, nowMs).vpsStates).toEqual(back.vpsStates);
  });
});

test('maintenance of a VPS in an alert is shown in its message, and so is its end', () => {
  const cycle = (alertState: AlertState, index: number, mutedUntilMs?: number) =>
    nextAlertState(
      { ...watch, alertState },
      {
        fleet: {
          kind: 'listed',
          fleet: { states: new Map([['VPS-10001', 'stopped']]), mayHaveMore: false, listCalls: 1 },
        },
        observed: new Map(),
        nowMs: nowMs + index * minuteMs,
        intervalMs: minuteMs,
        stateMs: minuteMs,
        mutedUntilMs: () => mutedUntilMs,
      },
    );
  const shown = (state: AlertState): AlertState => ({
    ...state,
    incident: state.incident && { ...state.incident, isStale: false },
  });
  const alerting = shown(cycle(initialAlertState, 0));
  const muted = cycle(alerting, 1, nowMs + 60 * minuteMs);
  expect(muted.incident).toMatchObject({
    isStale: true,
    members: { 'VPS-10001': { endedMs: null, mutedUntilMs: nowMs + 60 * minuteMs } },
  });
  expect(cycle(shown(muted), 2, nowMs + 60 * minuteMs).incident?.isStale).toBe(false);
  expect(cycle(shown(muted), 3).incident).toMatchObject({
    isStale: true,
    members: { 'VPS-10001': { mutedUntilMs: null } },
  });
});

describe('a VPS that got another name', () => {
  const cycle = (alertState: AlertState, alias: string, index: number) =>
    nextAlertState(
      { ...watch, vps: 'web-*', alertState },
      {
        fleet: {
          kind: 'listed',
          fleet: {
            states: new Map([['VPS-10001', 'stopped']]),
            aliases: new Map([['VPS-10001', { full: [alias], short: [] }]]),
            mayHaveMore: false,
            listCalls: 1,
          },
        },
        observed: new Map(),
        nowMs: nowMs + index * minuteMs,
        intervalMs: minuteMs,
        stateMs: minuteMs,
      },
    );

  test('leaves the message of a watch that no longer selects it', () => {
    const alerting = cycle(initialAlertState, 'web-01', 0);
    expect(alerting.vpsStates).toMatchObject({ 'VPS-10001': { isAlerting: true } });
    const { vpsStates, incident } = cycle(alerting, 'db-01', 1);
    expect(vpsStates).toEqual({});
    expect(incident?.members).toMatchObject({
      'VPS-10001': { ending: 'unselected', endedMs: nowMs + minuteMs },
    });
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
