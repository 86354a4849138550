import { expect, test } from 'vitest';
import { formatIncident } from '../../../../src/monitoring/watches/delivery/format-incident.ts';
import type { Incident } from '../../../../src/monitoring/watches/evaluation/incident.ts';
import { noResponse } from '../../../../src/monitoring/watches/evaluation/incident.ts';

const minuteMs = 60_000;
const member = { sinceMs: 0, worst: 97, latest: 96, unreadMs: null, state: null };

test('a VPS that left an alert because it was muted is not said to have ended', () => {
  const incident: Incident = {
    beganMs: 0,
    members: {
      'VPS-10001': { ...member, endedMs: 5 * minuteMs, ending: 'muted' },
      'VPS-10002': { ...member, endedMs: null, ending: null },
    },
    joined: [],
    isStale: false,
    shownMs: 0,
    response: noResponse,
  };
  const format = (shown: Incident) =>
    formatIncident({
      watch: { name: 'Busy', condition: { measure: 'cpu', is: 'over', figure: 90, forMs: 0 } },
      incident: shown,
      labelVps: (name) => name,
      nowMs: 10 * minuteMs,
    });
  expect(format(incident).table?.rows.find(([vps]) => vps === '– VPS-10001')).toEqual([
    '– VPS-10001',
    'muted',
    '97%',
    expect.anything(),
  ]);
  const back = { ...member, endedMs: 8 * minuteMs, ending: 'back' as const };
  const over = format({ ...incident, members: { ...incident.members, 'VPS-10002': back } });
  expect(over.title).toBe('✓ 2 VPS: CPU over 90% for 8 min, peak 97%; 1 muted, 1 back');
});
