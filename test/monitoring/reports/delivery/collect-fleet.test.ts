import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../../../src/errors.ts';
import type { CallData } from '../../../../src/hosting/client/hosting-client.ts';
import type { GetEndpoint } from '../../../../src/hosting/endpoints/endpoint.ts';
import { HostingError } from '../../../../src/hosting/hosting-error.ts';
import { collectFleet, countCalls } from '../../../../src/monitoring/reports/delivery/collect-fleet.ts';
import type { Read } from '../../../../src/operations/define/read.ts';
import { dayMs, endMs, scope } from '../../shared/histories.ts';

interface RecordedRead {
  readonly path: string;
  readonly lane: string | undefined;
}

/** Returns a service with this many VPS; `fail` selects the calls that fail. */
function createFakeService(count: number, fail: (path: string) => Error | undefined = () => undefined) {
  const asked: RecordedRead[] = [];
  let open = 0;
  let maxOpen = 0;
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
    maxOpen = Math.max(maxOpen, open);
    await turn();
    open -= 1;
    const error = fail(path);
    if (error) throw error;
    const answer =
      path === 'list'
        ? { vps: names.map((name) => ({ name, status: 'running' })) }
        : given.query
          ? {
              points: [
                { time: endMs / 1_000 - 3_600, cpu_percent: 50 },
                { time: endMs / 1_000 - 60, cpu_percent: 50 },
              ],
            }
          : { status: 'running', cpu_percent: 50, uptime: 60 };
    return endpoint.data.parse(answer) as CallData<E>;
  };
  return { read, asked, maxOpen: () => maxOpen };
}

const all = () => ({ ...scope(), isSelected: () => true, ownAliases: new Map() });

describe('collecting', () => {
  test.each([0, 1, 12, 60])(
    '%i VPS makes as many calls as estimated, all in the background',
    async (count) => {
      const { read, asked, maxOpen } = createFakeService(count);
      const { reports } = await collectFleet({ ...all(), read });
      expect(reports).toHaveLength(count);
      expect(asked).toHaveLength(countCalls(scope().period, { vpsCount: count }));
      expect(new Set(asked.map(({ lane }) => lane))).toEqual(new Set(['background']));
      expect(maxOpen()).toBeLessThanOrEqual(8);
    },
  );

  test('reads a single history of each VPS if that is enough', async () => {
    for (const [days, range] of [
      [7, 'week'],
      [30, 'month'],
    ] as const) {
      const period = { fromMs: endMs - days * dayMs, untilMs: endMs };
      const { read, asked } = createFakeService(1);
      await collectFleet({ ...all(), period, read });
      expect(asked.map(({ path }) => path)).toEqual(['list', 'VPS-10001', `VPS-10001 ${range}`]);
      expect(countCalls(period, { vpsCount: 1 })).toBe(3);
    }
  });

  test('records each reason why something could not be read once, and reads the rest', async () => {
    const failed = new HostingError('service_failed', 'The service failed.', {
      sendState: 'answered',
      status: 500,
    });
    const { read } = createFakeService(2, (path) => (path.startsWith('VPS-10001 ') ? failed : undefined));
    const { reports } = await collectFleet({ ...all(), read });
    expect(reports.map(({ readFailures }) => readFailures)).toEqual([
      [{ what: 'history', reason: 'The service failed.' }],
      [],
    ]);
    expect(reports[0]?.state).toBe('running');
  });

  test.each(['key_missing', 'key_rejected', 'stopped'] as const)(
    'ends if no VPS can be read: %s',
    async (code) => {
      const { read } = createFakeService(2, (path) =>
        path === 'list' ? undefined : new RackhandError(code, 'It is over.'),
      );
      await expect(collectFleet({ ...all(), read })).rejects.toMatchObject({ code });
    },
  );

  test("ends if the list can't be read, or if it is aborted", async () => {
    const broken = createFakeService(2, () => new RackhandError('service_timeout', 'Too late.'));
    await expect(collectFleet({ ...all(), read: broken.read })).rejects.toMatchObject({
      code: 'service_timeout',
    });
    const { read, asked } = createFakeService(12);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(collectFleet({ ...all(), read, signal })).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });
});
