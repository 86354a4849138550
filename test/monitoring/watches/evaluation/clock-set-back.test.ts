import { expect, test } from 'vitest';
import type { Evaluation } from '../../../../src/monitoring/watches/evaluation/evaluate-condition.ts';
import {
  nextVpsAlertState,
  okAlertState,
  type VpsAlertState,
} from '../../../../src/monitoring/watches/evaluation/vps-alert-state.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.parse('2026-11-25T00:00Z');
const rules = { forMs: 10 * minuteMs, isLowWorse: false, gapMs: 3 * minuteMs };

/** Evaluates a VPS every minute from a time on. Returns its last state. */
function evaluateFrom(
  fromMs: number,
  minutes: number,
  reading: Omit<Evaluation, 'atMs'>,
  first: VpsAlertState,
) {
  let state = first;
  for (let minute = 0; minute < minutes; minute += 1)
    state = nextVpsAlertState(state, { ...reading, atMs: fromMs + minute * minuteMs }, rules);
  return state;
}

test('an alert begins in time after the clock was set back an hour', () => {
  const reading = { result: 'met', figure: 95 } as const;
  const before = evaluateFrom(startMs, 2, reading, okAlertState);
  const after = evaluateFrom(startMs - hourMs, 11, reading, before);
  expect(after).toMatchObject({ isAlerting: true, sinceMs: startMs - hourMs });
});

test('an unreadable VPS counts as unreadable since the clock was set back', () => {
  const reading = { result: 'unread' } as const;
  const before = evaluateFrom(startMs, 2, reading, okAlertState);
  const after = evaluateFrom(startMs - hourMs, 2, reading, before);
  expect(after.unreadMs).toBe(startMs - hourMs);
});
