import { describe, expect, test } from 'vitest';
import { getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { isPublicByDefault } from '../../../src/operations/define/inspect-operation.ts';
import { graph } from '../../../src/operations/monitoring/graph.ts';
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
const usual = { cpu: 0.5, mem: gib, maxmem: 4 * gib, disk: gib, maxdisk: 2 * gib, netin: 10, netout: 20 };

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

  test('has two panels for unknown series, and names the rest', async () => {
    const points = times.map((time, turn) => ({
      time,
      cpu_percent: 50,
      fan: turn,
      pump: turn,
      valve: turn,
      gate: turn,
    }));
    const { panels, notes } = await draw({ points });
    expect(panels.map(({ label }) => label)).toEqual(['CPU', 'Fan', 'Pump']);
    expect(notes).toEqual(['Not shown in the graph: Valve, Gate.']);
  });

  test('shows a constant series as a fact, unless there is nothing else to draw', async () => {
    const { panels, facts } = await draw({ points: rows({ cpu: 0.5, maxcpu: 4, fan: 1 }) });
    expect(panels.map(({ label }) => label)).toEqual(['CPU']);
    expect(facts).toEqual([
      { label: 'CPU cores', value: '4' },
      { label: 'Fan', value: '1' },
    ]);
    const steady = await draw({ points: rows({ fan: 1 }) });
    expect(steady.panels.map(({ label }) => label)).toEqual(['Fan']);
    expect(steady.facts).toEqual([]);
  });

  test.each([{ points: [] }, {}, { points: rows({ cpu: null }) }])(
    'without points says so, and draws nothing: %j',
    async (data) => {
      const { chart, notes, next } = await draw(data, 'week');
      expect(chart).toBeUndefined();
      expect(notes).toEqual(['The service has no points of VPS-10001 for the last week.']);
      expect(next?.map(({ label }) => label)).toEqual(['Last Hour', 'Last Day', 'Last Month', 'Live']);
    },
  );

  test('is visible to everyone in the channel', () => {
    expect(isPublicByDefault(graph)).toBe(true);
  });

  test.each([
    [undefined, 'day'],
    ['Week', 'week'],
    ['month', 'month'],
  ])('of the range %s is one of the last %s', (range, expected) => {
    const raw = { vps: 'VPS-10001', ...(range !== undefined && { range }) };
    expect(parseInput(graph, raw)).toMatchObject({ kind: 'valid', input: { range: expected } });
  });

  test('of any other range is rejected with an explanation', () => {
    expect(parseInput(graph, { vps: 'VPS-10001', range: 'year' })).toMatchObject({
      problems: [{ path: 'range', message: 'A range is hour, day, week or month' }],
    });
  });
});
