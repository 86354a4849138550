import { expect, test } from 'vitest';
import { formatAlertDigest, type ReportedAlert } from '../../../../src/monitoring/shared/alert-digest.ts';

const minuteMs = 60_000;
const beganMs = Date.parse('2026-11-23T08:00Z');

const alert = (more: Partial<ReportedAlert> = {}): ReportedAlert => ({
  watchName: 'CPU',
  beganMs,
  endedMs: beganMs + 20 * minuteMs,
  isOpen: false,
  vps: ['VPS-1'],
  acknowledgedMs: null,
  ...more,
});

test('says nothing without watches, and "none" if none of them alerted', () => {
  expect(formatAlertDigest(undefined, ['VPS-1'])).toEqual({ facts: [], notes: [] });
  expect(formatAlertDigest([], ['VPS-1']).facts).toEqual([{ label: 'Alerts', value: 'none' }]);
});

test('counts the alerts of each watch, with the VPS of the report only', () => {
  const acknowledgedMs = beganMs + minuteMs;
  const digest = formatAlertDigest(
    [
      alert({ acknowledgedMs }),
      alert({ vps: ['VPS-2', 'VPS-9'], acknowledgedMs: null }),
      alert({ watchName: 'State', endedMs: null, isOpen: true, acknowledgedMs }),
      alert({ watchName: 'Elsewhere', vps: ['VPS-9'] }),
    ],
    ['VPS-1', 'VPS-2'],
  );
  expect(digest).toEqual({
    facts: [{ label: 'Alerts', value: '3, 1 still open' }],
    notes: [
      'Watch "CPU": 2 alerts about VPS-1 and VPS-2; 40 min in total; 1 not acknowledged.',
      'Watch "State": 1 alert about VPS-1; 1 still open; acknowledged.',
    ],
  });
});

test('names five watches at most', () => {
  const alerts = Array.from({ length: 7 }, (_, index) => alert({ watchName: `Watch ${index}` }));
  expect(formatAlertDigest(alerts, ['VPS-1']).notes.at(-1)).toBe('2 more watches alerted.');
});
