import { describe, expect, test } from 'vitest';
import { readLiveMetrics } from '../../../../src/hosting/profile/metrics/live-metrics.ts';
import { readRrdHistory } from '../../../../src/hosting/profile/metrics/rrd-history.ts';
import { allReadings } from '../../../../src/hosting/profile/readings/all-readings.ts';
import type { ReadingEndpoint } from '../../../../src/hosting/profile/readings/reading.ts';
import { readVps, readVpsList } from '../../../../src/hosting/profile/resources/vps.ts';
import { correctPayload } from '../../../../src/hosting/profile/service/correct-payload.ts';
import { inferProfile } from '../../../../src/hosting/profile/service/infer.ts';
import { checkReading } from '../services/check-reading.ts';
import { loadServiceFixtures } from '../services/service-fixture.ts';

const vpsName = 'VPS-10001';

function correct(endpoint: ReadingEndpoint, data: unknown, reading: string, field: string, unit?: string) {
  return correctPayload(endpoint, data, [{ reading, field, unit }], vpsName);
}

function read(reading: string, data: unknown) {
  return allReadings.find(({ id }) => id === reading)?.read(data, vpsName);
}

describe('corrections', () => {
  test('read the state of each VPS from the chosen field', () => {
    const vps = [
      { name: 'VPS-10001', status: 'active', machine: { mode: 'up' } },
      { name: 'VPS-10002', status: 'active', machine: { mode: 'down' } },
    ];
    const { data } = correct('listVps', { vps }, 'vps.list_state', 'vps[].machine.mode');
    const list = readVpsList(data).vps;
    expect(list.map(({ name, state }) => [name, state])).toEqual([
      ['VPS-10001', 'up'],
      ['VPS-10002', 'down'],
    ]);
    expect(list[0]?.record).toMatchObject({ machine: { mode: 'up' } });
  });

  test('read one VPS inside a wrapper', () => {
    const payload = { server: { name: vpsName, status: 'billing ok', machine: { mode: 'down' } } };
    const { data } = correct('getVps', payload, 'vps.state', 'server.machine.mode');
    expect(readVps(data, vpsName).state).toBe('down');
  });

  test('keep the wrong value visible under its own name', () => {
    const payload = { cpu: 7, load_of_processor: 93 };
    const { data } = correct('getLiveMonitoring', payload, 'live.cpu', 'load_of_processor');
    const live = readLiveMetrics(data, vpsName);
    expect(live.cpuPercent).toBe(93);
    expect(live.unrecognized).toContainEqual({ path: ['raw_cpu'], value: 7 });
  });

  test('use the unit that the field name or a person states', () => {
    const named = correct('getLiveMonitoring', { belegt_gb: 2 }, 'live.memory_used', 'belegt_gb');
    expect(readLiveMetrics(named.data).memoryUsedBytes).toBe(2 * 1024 ** 3);
    const stated = correct('getLiveMonitoring', { belegt: 512 }, 'live.memory_used', 'belegt', 'mb');
    expect(readLiveMetrics(stated.data).memoryUsedBytes).toBe(512 * 1024 ** 2);
  });

  test('give no figure if the unit of an amount is unknown', () => {
    const { data, unreadable } = correct('getLiveMonitoring', { belegt: 512 }, 'live.memory_used', 'belegt');
    expect(readLiveMetrics(data).memoryUsedBytes).toBeUndefined();
    expect(unreadable).toEqual(['live.memory_used']);
  });

  test('give no figure once the field is gone, and say so', () => {
    const { data, missing } = correct('getLiveMonitoring', { cpu: 7 }, 'live.cpu', 'load_of_processor');
    expect(readLiveMetrics(data).cpuPercent).toBeUndefined();
    expect(missing).toEqual(['live.cpu']);
  });

  test('give no figure if the field contains something else', () => {
    const { data, unreadable } = correct('getLiveMonitoring', { cpu: 7, note: 'fine' }, 'live.cpu', 'note');
    expect(readLiveMetrics(data).cpuPercent).toBeUndefined();
    expect(unreadable).toEqual(['live.cpu']);
  });

  test('read a series from the chosen column', () => {
    const rows = [1, 2, 3].map((n) => ({
      time: `2026-11-21T06:0${n}:00Z`,
      cpu: n,
      prozessor: 20 * n,
      mem_bytes: 2e9,
    }));
    const { data } = correct('getRrdMonitoring', { rows }, 'rrd.cpu', 'prozessor');
    const { series } = readRrdHistory(data, vpsName);
    expect(series.find(({ metric }) => metric === 'cpu')?.points.map(({ value }) => value)).toEqual([
      20, 40, 60,
    ]);
    expect(series.find(({ metric }) => metric === 'memoryUsed')?.points).toHaveLength(3);
    expect(series.find(({ key }) => key === 'raw cpu')?.points).toHaveLength(3);
  });

  test('leave low percentages of other series unchanged', () => {
    const rows = [1, 2, 3].map((n) => ({
      time: `2026-11-21T06:0${n}:00Z`,
      cpu_percent: 0.1 * n,
      speicher: 10 * n,
    }));
    const { data } = correct('getRrdMonitoring', { rows }, 'rrd.memory', 'speicher');
    const cpu = readRrdHistory(data, vpsName).series.find(({ metric }) => metric === 'cpu');
    expect(cpu?.points[0]?.value).toBeCloseTo(0.1);
  });

  test('choose between two possible fields', () => {
    const { data } = correct('getLiveMonitoring', { cpu: 7, processor: 50 }, 'live.cpu', 'processor');
    expect(readLiveMetrics(data).cpuPercent).toBe(50);
  });

  test('change nothing if the field is read anyway', () => {
    const payload = { vps: [{ name: vpsName, state: 'on' }] };
    expect(correct('listVps', payload, 'vps.list_state', 'vps[].state').data).toEqual(payload);
  });

  test('fit payloads of the same shape with other values', () => {
    for (const [cpu, load] of [
      [7, 93],
      [2, 14],
      [99, 0],
    ]) {
      const { data } = correct(
        'getLiveMonitoring',
        { cpu, load_of_processor: load, memory_percent: 40 },
        'live.cpu',
        'load_of_processor',
      );
      expect(read('live.cpu', data)).toBe(load);
    }
  });
});

describe.each(loadServiceFixtures().map((fixture) => [fixture.service, fixture] as const))(
  'the profile that was learned from %s',
  (_service, fixture) => {
    test('changes no reading', () => {
      const payloads = Object.entries(fixture.payloads).map(([name, { data }]) => {
        const endpoint = name as ReadingEndpoint;
        const corrections = inferProfile(endpoint, data, fixture.vps).findings.flatMap(
          ({ reading, fields: [field], isCalculated }) =>
            field === undefined || isCalculated ? [] : [{ reading, field }],
        );
        return [name, { data: correctPayload(endpoint, data, corrections, fixture.vps).data }] as const;
      });
      const corrected = { ...fixture, payloads: Object.fromEntries(payloads) };
      for (const reading of allReadings) {
        const before = checkReading(reading, fixture).verdict;
        expect(checkReading(reading, corrected).verdict, reading.id).toBe(before);
      }
    });
  },
);
