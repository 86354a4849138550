import { describe, expect, test } from 'vitest';
import { getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { runRead } from '../operation-harness.ts';

async function draw(data: unknown, range = 'day') {
  const answers = new Map([[getRrdMonitoring, data]]);
  const outcome = await runRead('graph', { vps: 'VPS-10001', range }, answers);
  const { spec } = outcome.chart ?? {};
  return { ...outcome, panels: spec?.kind === 'line' ? spec.panels : [] };
}

const times = [1_700_000_000, 1_700_000_060, 1_700_000_120];
const rows = (fields: object) => times.map((time) => ({ time, ...fields }));
const gib = 2 ** 30;
const usual = {
  cpu: 0.5,
  maxcpu: 2,
  mem: gib,
  maxmem: 4 * gib,
  disk: gib,
  maxdisk: 2 * gib,
  netin: 10,
  netout: 20,
};

describe('a graph', () => {
  test('has a panel each for CPU, memory, disk and network, in that order', async () => {
    const { chart, panels, title } = await draw({ points: rows(usual) });
    expect(title).toBe('VPS-10001, last day');
    expect(chart?.spec).toMatchObject({ title, timeZone: 'UTC' });
    expect(panels.map(({ label, unit }) => [label, unit])).toEqual([
      ['CPU', 'percent'],
      ['Memory', 'percent'],
      ['Disk', 'percent'],
      ['Network', 'bytesPerSecond'],
    ]);
    expect(panels[3]?.series.map(({ label }) => label)).toEqual(['in', 'out']);
    expect(chart?.takeaway).toContain('CPU');
  });

  test.each([
    [{ points: [] }, 'The service has no data for VPS-10001 in the last week.'],
    [{}, "The data for VPS-10001 couldn't be read from the service's response."],
    [{ points: rows({ cpu: null }) }, "The data for VPS-10001 couldn't be read from the service's response."],
  ])('without points says so, and draws nothing: %j', async (data, note) => {
    const { chart, notes, next } = await draw(data, 'week');
    expect(chart).toBeUndefined();
    expect(notes).toEqual([note]);
    expect(next?.map(({ label }) => label)).toEqual(['Last Hour', 'Last Day', 'Last Month', 'Live']);
  });
});
