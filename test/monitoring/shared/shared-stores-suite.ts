import { describe, expect, test } from 'vitest';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import {
  createHourlyHistoryPurge,
  createHourlyHistoryStore,
} from '../../../src/monitoring/shared/history/hourly-history-store.ts';
import { deleteWorkspaceRows } from '../../../src/workspaces/erasure/delete-rows.ts';
import { type StartDatabase, useTestDatabase } from '../../db/test-database.ts';

const nowMs = Date.UTC(2026, 10, 23, 8);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Tests that are the same for every database. */
export function describeSharedStores(name: string, start: StartDatabase): void {
  describe(`stored hours in ${name}`, () => {
    const stage = useTestDatabase(start);
    const history = {
      fromMs: nowMs - 7 * dayMs,
      untilMs: nowMs,
      hourlyMeans: {
        fromMs: nowMs - 7 * dayMs,
        stepMs: 2 * hourMs,
        means: { cpu: [12.5, null, 80], disk: [91] },
      },
    };

    test('that cannot be read count as missing', async () => {
      const acme = createHourlyHistoryStore(stage.db).forTeam('T0ACME');
      await acme.save('VPS-10001', history);
      await stage.db.updateTable('vps_hourly_stats').set({ hourly_stats: '{"fromMs":' }).execute();
      expect(await acme.find('VPS-10001')).toBeUndefined();
    });

    test('are read as they were stored, the last for each VPS of each workspace', async () => {
      const store = createHourlyHistoryStore(stage.db);
      const acme = store.forTeam('T0ACME');
      await acme.save('VPS-10001', { ...history, untilMs: nowMs - dayMs });
      await acme.save('VPS-10001', history);
      expect(await acme.find('VPS-10001')).toEqual(history);
      expect(await acme.find('VPS-10002')).toBeUndefined();
      expect(await store.forTeam('T0GLOBEX').find('VPS-10001')).toBeUndefined();
    });

    test('list the VPS whose week does not have to be read again', async () => {
      const store = createHourlyHistoryStore(stage.db);
      await store.forTeam('T0ACME').save('VPS-10001', history);
      await store.forTeam('T0ACME').save('VPS-10002', { ...history, untilMs: nowMs - 3 * dayMs });
      const reaching = await store.findCovered('T0ACME', { fromMs: nowMs, untilMs: nowMs + dayMs });
      expect(['VPS-10001', 'VPS-10002', 'VPS-10003'].filter(reaching)).toEqual(['VPS-10001']);
    });

    test('are deleted after a month without use, and with their workspace', async () => {
      const store = createHourlyHistoryStore(stage.db);
      await store.forTeam('T0ACME').save('VPS-10001', history);
      await store.forTeam('T0ACME').save('VPS-10002', { ...history, untilMs: nowMs - 31 * dayMs });
      await store.forTeam('T0GLOBEX').save('VPS-10003', history);
      const isKept = async (teamId: string, vps: string) =>
        (await store.forTeam(teamId).find(vps)) !== undefined;
      const clock = { ...createSystemClock(), now: () => nowMs };
      await createHourlyHistoryPurge(store).run({ clock, signal: new AbortController().signal });
      expect(await isKept('T0ACME', 'VPS-10001')).toBe(true);
      expect(await isKept('T0ACME', 'VPS-10002')).toBe(false);
      await deleteWorkspaceRows(stage.db, 'T0ACME', { scope: 'installation' });
      expect(await isKept('T0ACME', 'VPS-10001')).toBe(false);
      expect(await isKept('T0GLOBEX', 'VPS-10003')).toBe(true);
    });
  });
}
