import { describe, expect, test } from 'vitest';
import { allReadings } from '../../../../src/hosting/profile/readings/all-readings.ts';
import type { ReadingEndpoint } from '../../../../src/hosting/profile/readings/reading.ts';
import { inferProfile } from '../../../../src/hosting/profile/service/infer.ts';
import { checkReading } from '../services/check-reading.ts';
import { loadServiceFixtures } from '../services/service-fixture.ts';

function inferOne(endpoint: ReadingEndpoint, data: unknown, reading: string) {
  return inferProfile(endpoint, data, 'VPS-10001').findings.find((finding) => finding.reading === reading);
}

describe('the inferred fields of readings', () => {
  test('include the field in the list of VPS, with an example', () => {
    const data = {
      servers: [
        { name: 'VPS-10001', state: 'on' },
        { name: 'VPS-10002', state: 'off' },
      ],
    };
    expect(inferOne('listVps', data, 'vps.list_state')).toEqual({
      reading: 'vps.list_state',
      fields: ['servers[].state'],
      example: 'on',
      isCalculated: false,
      isCertain: true,
    });
  });

  test('include an entry of a map by VPS name', () => {
    const data = { 'VPS-10001': { status: 'on' }, 'VPS-10002': { status: 'off' } };
    expect(inferOne('listVps', data, 'vps.list_state')?.fields).toEqual(['{}.status']);
  });

  test('include both fields of a calculated percentage', () => {
    const data = { mem: 2_147_483_648, maxmem: 4_294_967_296 };
    expect(inferOne('getLiveMonitoring', data, 'live.memory')).toMatchObject({
      fields: ['mem', 'maxmem'],
      example: 50,
      isCertain: false,
    });
  });

  test('are uncertain if nothing states the unit', () => {
    expect(inferOne('getLiveMonitoring', { cpu: 0.25, maxcpu: 4 }, 'live.cpu')).toMatchObject({
      isCertain: false,
    });
    expect(inferOne('getLiveMonitoring', { cpu_percent: 25 }, 'live.cpu')).toMatchObject({ isCertain: true });
  });

  test('are uncertain if another field contains a different value', () => {
    const data = { vps_name: 'VPS-10001', state: 'on', status: 'billing overdue' };
    expect(inferOne('getVps', data, 'vps.state')).toMatchObject({ isCertain: false });
  });

  test('include the column of a series', () => {
    const points = [1, 2, 3].map((minute) => ({
      time: `2026-11-21T06:0${minute}:00Z`,
      cpu_percent: 10 * minute,
    }));
    expect(inferOne('getRrdMonitoring', { points }, 'rrd.cpu')).toMatchObject({
      fields: ['cpu_percent'],
      example: 30,
    });
  });

  test('never show or offer a secret', () => {
    const data = { state: 'active', host: 'ftp.example', user: 'u1', password: 'hunter22-Secret' };
    const inference = inferProfile('getBackupFtp', data, 'VPS-10001');
    expect(JSON.stringify(inference)).not.toContain('hunter22-Secret');
    expect(inference.fields.map(({ field }) => field)).not.toContain('password');
  });

  test('are found as fast for a list of 100,000', () => {
    const vps = Array.from({ length: 100_000 }, (_none, index) => ({ name: `VPS-${index}`, state: 'on' }));
    expect(inferOne('listVps', { vps }, 'vps.list_state')?.fields).toEqual(['vps[].state']);
  });
});

test('match the field that a person would choose in 9 of 10 cases', () => {
  const cases = loadServiceFixtures().flatMap((fixture) => {
    const found = new Map(
      Object.entries(fixture.payloads).flatMap(([endpoint, { data }]) =>
        inferProfile(endpoint as ReadingEndpoint, data, fixture.vps).findings.map(
          ({ reading, fields }) => [reading, fields] as const,
        ),
      ),
    );
    return allReadings.flatMap((reading) => {
      const fact = fixture.facts[reading.id];
      if (fact === undefined || fact.or || checkReading(reading, fixture).verdict !== 'right') return [];
      const fields = found.get(reading.id) ?? [];
      // The entries of a plain list, and the keys of a map, have no field name.
      const isFound = fields.some((field) => field.includes(fact.field) || /(\[\]|\{\})$/.test(field));
      return [{ isFound, where: `${fixture.id} ${reading.id}: ${fields.join(', ')}, not ${fact.field}` }];
    });
  });
  const misses = cases.filter(({ isFound }) => !isFound).map(({ where }) => where);
  expect(cases.length).toBeGreaterThan(200);
  expect(misses.length, misses.join('\n')).toBeLessThan(cases.length / 10);
});
