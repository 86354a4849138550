import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../src/error.ts';
import type { CallData } from '../../src/hosting/client.ts';
import type { GetEndpoint } from '../../src/hosting/endpoint.ts';
import { HostingError } from '../../src/hosting/hosting-error.ts';
import type { Read } from '../../src/operations/operation.ts';
import { callsFor, collect } from '../../src/reports/collection.ts';
import { createHoursStore } from '../../src/reports/history/hours-store.ts';
import { stageDatabase, startSqlite } from '../storage/stage-database.ts';
import { dayMs, endMs, scope } from './summary/histories.ts';

interface Asked {
  readonly path: string;
  readonly lane: string | undefined;
}

/** Makes a service of so many VPS, which `fail` may have fail by what is asked. */
function serviceOf(count: number, fail: (path: string) => Error | undefined = () => undefined) {
  const asked: Asked[] = [];
  let open = 0;
  let most = 0;
  const names = Array.from({ length: count }, (_, index) => `VPS-${10_001 + index}`);
  const read: Read = async <E extends GetEndpoint>(endpoint: E, input: object, options?: object) => {
    const given = { ...input, ...options } as {
      params?: { vps_name: string };
      query?: { range: string };
      lane?: string;
    };
    const path = `${given.params?.vps_name ?? 'list'} ${given.query?.range ?? ''}`.trim();
    asked.push({ path, lane: given.lane });
    open += 1;
    most = Math.max(most, open);
    await delay(0);
    open -= 1;
    const error = fail(path);
    if (error) throw error;
    const answer =
      path === 'list'
        ? { vps: names.map((name) => ({ name, status: 'running' })) }
        : given.query
          ? {
              points: [
                { time: endMs / 1_000 - 3_600, cpu: 0.5 },
                { time: endMs / 1_000 - 60, cpu: 0.5 },
              ],
            }
          : { status: 'running', cpu: 0.5, uptime: 60 };
    return endpoint.data.parse(answer) as CallData<E>;
  };
  return { read, asked, most: () => most };
}

const stage = stageDatabase(startSqlite);
const all = () => ({ ...scope(), isMeant: () => true, hours: createHoursStore(stage.db).of('T0ACME') });

describe('a collection', () => {
  test.each([0, 1, 12, 60])(
    'of %i VPS makes as many calls as were counted, all in the background',
    async (count) => {
      const { read, asked, most } = serviceOf(count);
      const { reports } = await collect({ ...all(), read });
      expect(reports).toHaveLength(count);
      expect(asked).toHaveLength(callsFor(scope().period, count));
      expect(new Set(asked.map(({ lane }) => lane))).toEqual(new Set(['background']));
      expect(most()).toBeLessThanOrEqual(8);
    },
  );

  test('reads one history of each VPS where that suffices', async () => {
    for (const [days, range] of [
      [7, 'week'],
      [30, 'month'],
    ] as const) {
      const period = { fromMs: endMs - days * dayMs, untilMs: endMs };
      const { read, asked } = serviceOf(1);
      await collect({ ...all(), period, read });
      expect(asked.map(({ path }) => path)).toEqual(['list', 'VPS-10001', `VPS-10001 ${range}`]);
      expect(callsFor(period, 1)).toBe(3);
    }
  });

  test('reads the week of a VPS once, and then of each day no more than the day', async () => {
    const { read, asked } = serviceOf(2);
    const days = [0, 1, 2].map((day) => ({
      fromMs: endMs + (day - 1) * dayMs,
      untilMs: endMs + day * dayMs,
    }));
    const ranges: (readonly string[])[] = [];
    for (const period of days) {
      asked.length = 0;
      await collect({ ...all(), period, read });
      ranges.push(asked.map(({ path }) => path).filter((path) => path.startsWith('VPS-10001 ')));
    }
    expect(ranges).toEqual([['VPS-10001 day', 'VPS-10001 week'], ['VPS-10001 day'], ['VPS-10001 day']]);
    expect(asked).toHaveLength(callsFor(scope().period, 2, 2));
  });

  test('reads the week again where a day in between is not known', async () => {
    const { read, asked } = serviceOf(1);
    await collect({ ...all(), read });
    asked.length = 0;
    const untilMs = endMs + 3 * dayMs;
    await collect({ ...all(), period: { fromMs: untilMs - dayMs, untilMs }, read });
    expect(asked.map(({ path }) => path)).toContain('VPS-10001 week');
  });

  test('keeps nothing of a history that could not be read', async () => {
    const failed = new RackhandError('service_timeout', 'Too late.');
    const { read } = serviceOf(1, (path) => (path.endsWith('week') ? failed : undefined));
    const { hours } = all();
    await collect({ ...all(), read });
    expect(await hours.find('VPS-10001')).toBeUndefined();
  });

  test('tells how far it has come', async () => {
    const { read } = serviceOf(3);
    const told: string[] = [];
    await collect({ ...all(), read, onRead: (done, count) => told.push(`${done}/${count}`) });
    expect(told).toEqual(['1/3', '2/3', '3/3']);
  });

  test('reads only what is meant', async () => {
    const { read, asked } = serviceOf(12);
    const { reports } = await collect({ ...all(), read, isMeant: (name) => name === 'VPS-10003' });
    expect(reports.map(({ name }) => name)).toEqual(['VPS-10003']);
    expect(asked).toHaveLength(4);
  });

  test('keeps what could not be read, once for each reason, and reads the rest', async () => {
    const failed = new HostingError('service_failed', 'The service failed.', {
      fate: 'answered',
      status: 500,
    });
    const { read } = serviceOf(2, (path) => (path.startsWith('VPS-10001 ') ? failed : undefined));
    const { reports } = await collect({ ...all(), read });
    expect(reports.map(({ unread }) => unread)).toEqual([
      [{ what: 'history', why: 'The service failed.' }],
      [],
    ]);
    expect(reports[0]?.state).toBe('running');
  });

  test.each(['key_missing', 'key_rejected', 'stopped'] as const)(
    'ends where no VPS can be read: %s',
    async (code) => {
      const { read } = serviceOf(2, (path) =>
        path === 'list' ? undefined : new RackhandError(code, 'It is over.'),
      );
      await expect(collect({ ...all(), read })).rejects.toMatchObject({ code });
    },
  );

  test('ends where its list cannot be read, and where it is aborted', async () => {
    const broken = serviceOf(2, () => new RackhandError('service_timeout', 'Too late.'));
    await expect(collect({ ...all(), read: broken.read })).rejects.toMatchObject({ code: 'service_timeout' });
    const { read, asked } = serviceOf(12);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(collect({ ...all(), read, signal })).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });
});
