import { describe, expect, test } from 'vitest';
import { findMappings, hasField } from '../../../src/hosting/payloads/found-mappings.ts';
import { readRrdHistory } from '../../../src/hosting/payloads/history.ts';
import { type PayloadEndpoint, payloadNames } from '../../../src/hosting/payloads/known-values.ts';
import { readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { applyMappings } from '../../../src/hosting/payloads/matcher.ts';
import { readVps, readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { readPayloadValues } from './payload-values.ts';

const vpsName = 'VPS-10001';

function map(endpoint: PayloadEndpoint, payload: unknown, value: string, field: string, unit?: string) {
  const mapping = { value, field, ...(unit !== undefined && { unit }) };
  const data = applyMappings(payload, [mapping]);
  const isMissing = !hasField(endpoint, payload, field, vpsName);
  return { data, isMissing, content: readPayloadValues(endpoint, data, vpsName).get(value) };
}

describe('a field that a person chose', () => {
  test('is the state of each VPS, and of one inside a wrapper', () => {
    const vps = [
      { name: 'VPS-10001', status: 'active', machine: { mode: 'up' } },
      { name: 'VPS-10002', status: 'active', machine: { mode: 'down' } },
    ];
    const { data } = map('listVps', { vps }, 'vps.list_state', 'vps[].machine.mode');
    expect(readVpsList(data).vps.map(({ state }) => state)).toEqual(['up', 'down']);
    const payload = { server: { name: vpsName, status: 'billing ok', machine: { mode: 'down' } } };
    const one = map('getVps', payload, 'vps.state', 'server.machine.mode');
    expect(readVps(one.data, vpsName).state).toBe('down');
  });

  test('is used instead of the field that was read, which is shown under its own name', () => {
    const { data } = map('getLiveMonitoring', { cpu_percent: 7, last: 93 }, 'live.cpu', 'last', 'percent');
    const live = readLiveMetrics(data, vpsName);
    expect(live.cpuPercent).toBe(93);
    expect(live.unrecognized).toContainEqual({ path: ['cpu_percent'], value: 7 });
  });

  test.each([
    ['in its name', { belegt_gb: 2 }, 'belegt_gb', undefined, 2 * 2 ** 30],
    ['beside it', { belegt: { value: 2, unit: 'GB' } }, 'belegt', undefined, 2 * 2 ** 30],
    ['that the person stated', { belegt: 512 }, 'belegt', 'mb', 512 * 2 ** 20],
    ['of nowhere', { belegt: 512 * 2 ** 20 }, 'belegt', undefined, undefined],
  ])('has the unit %s', (_, payload, field, unit, bytes) => {
    const { content, isMissing } = map('getLiveMonitoring', payload, 'live.memory_used', field, unit);
    expect([content, isMissing]).toEqual([bytes, false]);
  });

  test('gives no figure once it is gone, or if it contains something else or something impossible', () => {
    const gone = map('getLiveMonitoring', { cpu_percent: 7 }, 'live.cpu', 'last', 'percent');
    expect([gone.content, gone.isMissing]).toEqual([undefined, true]);
    expect(map('getLiveMonitoring', { note: 'fine' }, 'live.cpu', 'note').content).toBeUndefined();
    expect(map('getLiveMonitoring', { n: 250 }, 'live.memory', 'n', 'percent').content).toBeUndefined();
  });

  test('can be a column of a history', () => {
    const rows = [1, 2, 3].map((n) => ({ time: `2026-11-21T06:0${n}:00Z`, cpu_percent: n, last: 20 * n }));
    const { data } = map('getRrdMonitoring', { rows }, 'rrd.cpu', 'last', 'percent');
    const cpu = readRrdHistory(data, vpsName).series.find(({ metric }) => metric === 'cpu');
    expect(cpu?.points.map(({ value }) => value)).toEqual([20, 40, 60]);
  });
});

describe('a figure without a unit', () => {
  test.each<[PayloadEndpoint, unknown, string]>([
    ['getLiveMonitoring', { cpu: 12.5 }, 'live.cpu'],
    ['getRrdMonitoring', { cpu: [12.5, 12.5].map((value, n) => [1_795_240_800 + n * 60, value]) }, 'rrd.cpu'],
  ])('of %s is read only with the unit that a person states', (endpoint, payload, id) => {
    const [found] = findMappings(endpoint, payload, vpsName).mappings;
    expect(found).toMatchObject({
      value: id,
      isCertain: false,
      units: ['percent', 'fraction'],
      example: 12.5,
    });
    expect(readPayloadValues(endpoint, payload, vpsName).get(id)).toBeUndefined();
    const stated = map(endpoint, payload, id, 'cpu', 'percent').content;
    expect(stated).toEqual(endpoint === 'getLiveMonitoring' ? 12.5 : expect.objectContaining({ last: 12.5 }));
  });
});

test('a password that is the name of a field is not among the fields of the credentials', () => {
  const payload = { active: true, users: { 'hunter2-Xy9q': { host: 'ftp7.example.net' } }, port: 21 };
  const found = findMappings('getBackupFtp', payload, vpsName);
  expect(JSON.stringify(found)).not.toContain('Xy9q');
  expect(found.mappings).toContainEqual(
    expect.objectContaining({ value: 'backup.credentials', fields: ['port'] }),
  );
});

test.each(Object.keys(payloadNames) as PayloadEndpoint[])(
  'nothing that is found in the payload of %s repeats a secret, wherever it stands',
  (endpoint) => {
    const secret = 'tulip42harbor';
    const entries = Array.from({ length: 8 }, (_, index) => ({
      vps_name: `VPS-1000${index}`,
      name: index === 0 ? `join-${secret}` : `name-${index}`,
      state: index === 0 ? secret : 'running',
      // Only the last entry says which text is a secret.
      ...(index === 7 && { agent: { token: secret } }),
    }));
    const found = findMappings(endpoint, { entries, [secret]: 5, note: `agent join ${secret}` }, vpsName);
    expect(JSON.stringify(found)).not.toContain(secret);
  },
);
