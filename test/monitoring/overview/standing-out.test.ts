import { describe, expect, test } from 'vitest';
import { listStandingOut } from '../../../src/monitoring/overview/overview.ts';

const hourMs = 3_600_000;
const nowMs = 100 * hourMs;

const summary = (hoursAgo: number, vps: readonly string[], standsOut?: Record<string, string>) => ({
  untilMs: nowMs - hoursAgo * hourMs,
  vps: Object.fromEntries(vps.map((name) => [name, {}])),
  ...(standsOut && { standsOut: Object.entries(standsOut).map(([name, text]) => ({ vps: name, text })) }),
});

describe('what stands out', () => {
  test('comes from the newest report about a VPS, with the time of that report', () => {
    const summaries = [
      summary(1, ['VPS-1', 'VPS-2'], { 'VPS-1': 'CPU 93% for 6 h' }),
      summary(8, ['VPS-1', 'VPS-2', 'VPS-3'], { 'VPS-2': 'stopped', 'VPS-3': 'disk 95%' }),
    ];
    expect(listStandingOut(summaries, () => false, nowMs)).toEqual([
      { vps: 'VPS-1', text: 'CPU 93% for 6 h', untilMs: nowMs - hourMs },
      { vps: 'VPS-3', text: 'disk 95%', untilMs: nowMs - 8 * hourMs },
    ]);
  });

  test('leaves out muted VPS, and reports that are older than two days', () => {
    const summaries = [
      summary(1, ['VPS-1', 'VPS-2'], { 'VPS-1': 'stopped', 'VPS-2': 'stopped' }),
      summary(49, ['VPS-3'], { 'VPS-3': 'stopped' }),
    ];
    const isMuted = (vps: string) => vps === 'VPS-1';
    expect(listStandingOut(summaries, isMuted, nowMs).map(({ vps }) => vps)).toEqual(['VPS-2']);
  });

  test('is nothing for a report of an earlier version', () => {
    expect(listStandingOut([summary(1, ['VPS-1'])], () => false, nowMs)).toEqual([]);
  });
});
