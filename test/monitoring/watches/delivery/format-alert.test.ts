import { expect, test } from 'vitest';
import { formatAlert } from '../../../../src/monitoring/watches/delivery/format-alert.ts';
import type { Alert } from '../../../../src/monitoring/watches/evaluation/alert.ts';
import { noResponse } from '../../../../src/monitoring/watches/evaluation/alert.ts';

const minuteMs = 60_000;
const member = {
  sinceMs: 0,
  worst: 97,
  latest: 96,
  unreadMs: null,
  state: null,
  endedMs: null,
  ending: null,
};

const format = (members: Alert['members']) =>
  formatAlert({
    watch: { name: 'Busy', condition: { measure: 'cpu', is: 'over', figure: 90, forMs: 0 } },
    alert: { beganMs: 0, members, joined: [], isStale: false, shownMs: 0, response: noResponse },
    labelVps: (name) => name,
    nowMs: 10 * minuteMs,
  });

test.each([
  [96.2, /\(over 90%\)$/],
  [93, /, peak 96%$/],
])('the headline of a VPS at %d names the peak only if it reads differently', (latest, end) => {
  const { title } = format({ 'VPS-10001': { ...member, latest, worst: 96.4, mutedUntilMs: null } });
  expect(title).toMatch(end);
});

test('a VPS in maintenance stays in its alert, which says until when it is muted', () => {
  const { title, facts } = format({
    'VPS-10001': { ...member, mutedUntilMs: 90 * minuteMs },
    'VPS-10002': { ...member, mutedUntilMs: null },
  });
  expect(title).toMatch(/^⚠️ 2 VPS with CPU over 90%/);
  expect(facts?.filter(({ label }) => label.includes('muted'))).toEqual([
    { label: 'VPS-10001 muted until', value: { kind: 'time', timeMs: 90 * minuteMs } },
  ]);
});
