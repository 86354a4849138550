import { describe, expect, test } from 'vitest';
import { readRrdHistory } from '../../../../src/hosting/profile/metrics/history/rrd-history.ts';
import { readLiveMetrics } from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';
import { allReadings } from '../../../../src/hosting/profile/readings/all-readings.ts';
import type { ReadingEndpoint } from '../../../../src/hosting/profile/readings/reading.ts';
import { readVps, readVpsList } from '../../../../src/hosting/profile/resources/vps/vps.ts';
import { correctPayload } from '../../../../src/hosting/profile/service/correct-payload.ts';
import { readFacts } from '../../../../src/hosting/profile/service/facts.ts';
import { inferProfile } from '../../../../src/hosting/profile/service/infer.ts';
import { checkReading } from '../services/check-reading.ts';
import { loadServiceFixtures } from '../services/service-fixture.ts';

const vpsName = 'VPS-10001';

function correct(endpoint: ReadingEndpoint, payload: unknown, reading: string, field: string, unit?: string) {
  const { data, missing } = correctPayload(endpoint, payload, [{ reading, field, unit }], vpsName);
  return { data, missing, value: readFacts(endpoint, data, vpsName).get(reading) };
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
    expect(live.unrecognized).toContainEqual({ path: ['cpu'], value: 7 });
  });

  test('use the unit that the field name or a person states', () => {
    const named = correct('getLiveMonitoring', { belegt_gb: 2 }, 'live.memory_used', 'belegt_gb');
    expect(readLiveMetrics(named.data).memoryUsedBytes).toBe(2 * 1024 ** 3);
    const stated = correct('getLiveMonitoring', { belegt: 512 }, 'live.memory_used', 'belegt', 'mb');
    expect(readLiveMetrics(stated.data).memoryUsedBytes).toBe(512 * 1024 ** 2);
  });

  test('give no figure if the unit of an amount is unknown', () => {
    const { value, missing } = correct('getLiveMonitoring', { belegt: 512 }, 'live.memory_used', 'belegt');
    expect([value, missing]).toEqual([undefined, []]);
  });

  test('give no figure once the field is gone, and say so', () => {
    const { data, missing } = correct('getLiveMonitoring', { cpu: 7 }, 'live.cpu', 'load_of_processor');
    expect(readLiveMetrics(data).cpuPercent).toBeUndefined();
    expect(missing).toEqual(['live.cpu']);
  });

  test('give no figure if the field contains something else', () => {
    const { value, missing } = correct('getLiveMonitoring', { cpu: 7, note: 'fine' }, 'live.cpu', 'note');
    expect([value, missing]).toEqual([undefined, []]);
  });

  test('read a series from the chosen column', () => {
    const rows = [1, 2, 3].map((n) => ({
      time: `2026-11-21T06:0${n}:00Z`,
      cpu: n,
      prozessor: 20 * n,
      mem_bytes: 2e9 + n,
    }));
    const { data } = correct('getRrdMonitoring', { rows }, 'rrd.cpu', 'prozessor');
    const { series } = readRrdHistory(data, vpsName);
    expect(series.find(({ metric }) => metric === 'cpu')?.points.map(({ value }) => value)).toEqual([
      20, 40, 60,
    ]);
    expect(series.find(({ metric }) => metric === 'memoryUsed')?.points).toHaveLength(3);
    expect(series.find(({ key }) => key === 'cpu')).toMatchObject({ label: 'Cpu', unit: 'percent' });
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

  test('read a percentage from two fields', () => {
    const payload = { speicher: { belegt: 512, gesamt: 2048 } };
    const field = 'speicher.belegt / speicher.gesamt';
    expect(correct('getLiveMonitoring', payload, 'live.memory', field).value).toBe(25);
    const withUnits = { speicher: { belegt: '512 MB', gesamt: '2 GB' } };
    expect(correct('getLiveMonitoring', withUnits, 'live.memory', field).value).toBe(25);
    const onlyOne = { speicher: { belegt: '512 MB', gesamt: 2 } };
    expect(correct('getLiveMonitoring', onlyOne, 'live.memory', field).value).toBeUndefined();
  });

  test('read a difference and a sum of two fields', () => {
    const memory = { gesamt: 2048, frei: 512 };
    expect(correct('getLiveMonitoring', memory, 'live.memory_used', 'gesamt - frei', 'mb').value).toBe(
      1536 * 2 ** 20,
    );
    const flows = { v4: { rein: 100 }, v6: { rein: 20 } };
    expect(correct('getLiveMonitoring', flows, 'live.network_in', 'v4.rein + v6.rein').value).toBe(120);
    const overflow = { gesamt: 512, frei: 2048 };
    expect(
      correct('getLiveMonitoring', overflow, 'live.memory_used', 'gesamt - frei', 'mb').value,
    ).toBeUndefined();
  });

  test('read a series from two columns', () => {
    const rows = [1, 2, 3].map((n) => ({ time: `2026-11-21T06:0${n}:00Z`, belegt: n, gesamt: 4 }));
    const { value, missing } = correct('getRrdMonitoring', { rows }, 'rrd.memory', 'belegt / gesamt');
    expect([value, missing]).toEqual([{ from: '2026-11-21T06:01:00Z', count: 3, last: 75 }, []]);
  });

  test('read an amount of each entry from two of its fields', () => {
    const snapshots = [
      { name: 'a', created: '2026-11-19T06:00:00Z', brutto: '3 GB', netto: '1 GB' },
      { name: 'b', created: '2026-11-20T06:00:00Z', brutto: '5 GB' },
    ];
    const field = 'snapshots[].brutto - snapshots[].netto';
    expect(correct('listSnapshots', { snapshots }, 'snapshot.size', field).value).toEqual({ a: 2 * 2 ** 30 });
  });

  test('name what is missing of two fields', () => {
    const { missing } = correct('getLiveMonitoring', { belegt: 1 }, 'live.memory', 'belegt / gesamt');
    expect(missing).toEqual(['live.memory']);
  });

  test('give no number that is not plausible', () => {
    const payload = { belastung: 250, hafen: 1 };
    expect(correct('getLiveMonitoring', payload, 'live.memory', 'belastung').value).toBeUndefined();
    const mappings = [{ vps: vpsName, hafen: 700_000 }];
    expect(
      correct('listSshMappings', { mappings }, 'ssh.external_port', 'mappings[].hafen').value,
    ).toBeUndefined();
  });

  test('fit payloads of the same shape with other values', () => {
    for (const [cpu, load] of [
      [7, 93],
      [2, 14],
      [99, 0],
    ]) {
      const { value } = correct(
        'getLiveMonitoring',
        { cpu, load_of_processor: load, memory_percent: 40 },
        'live.cpu',
        'load_of_processor',
      );
      expect(value).toBe(load);
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
