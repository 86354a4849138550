import { describe, expect, test } from 'vitest';
import { createHoursStore } from '../../src/reports/history/hours-store.ts';
import { createMuteStore } from '../../src/reports/mutes/mute-store.ts';
import { type StartDatabase, stageDatabase } from '../storage/stage-database.ts';

const nowMs = Date.UTC(2026, 10, 23, 8);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const bob = { teamId: 'T0ACME', userId: 'U0BOB' };

/** What every database must do alike. */
export function describeKept(name: string, start: StartDatabase): void {
  describe(`mutes in ${name}`, () => {
    const stage = stageDatabase(start);

    test('last until their time, and the last word on a VPS counts', async () => {
      const mutes = createMuteStore(stage.db);
      await mutes.mute(alice, 'VPS-10002', nowMs + dayMs);
      await mutes.mute(alice, 'VPS-10001', nowMs + hourMs);
      await mutes.mute(bob, 'VPS-10002', nowMs + 2 * dayMs);
      await mutes.mute({ ...alice, teamId: 'T0GLOBEX' }, 'VPS-10003', nowMs + dayMs);
      expect(await mutes.list('T0ACME', nowMs)).toEqual([
        { vps: 'VPS-10001', untilMs: nowMs + hourMs, byUserId: 'U0ALICE' },
        { vps: 'VPS-10002', untilMs: nowMs + 2 * dayMs, byUserId: 'U0BOB' },
      ]);
      expect((await mutes.list('T0ACME', nowMs + hourMs)).map(({ vps }) => vps)).toEqual(['VPS-10002']);
    });

    test('end once, and not where there is none any more', async () => {
      const mutes = createMuteStore(stage.db);
      await mutes.mute(alice, 'VPS-10001', nowMs + hourMs);
      expect(await mutes.unmute('T0GLOBEX', 'VPS-10001', nowMs)).toBe(false);
      expect(await mutes.unmute('T0ACME', 'VPS-10001', nowMs + hourMs)).toBe(false);
      expect(await mutes.unmute('T0ACME', 'VPS-10001', nowMs)).toBe(true);
      expect(await mutes.unmute('T0ACME', 'VPS-10001', nowMs)).toBe(false);
    });

    test('are forgotten with their workspace alone', async () => {
      const mutes = createMuteStore(stage.db);
      await mutes.mute(alice, 'VPS-10001', nowMs + hourMs);
      await mutes.mute({ ...alice, teamId: 'T0GLOBEX' }, 'VPS-10001', nowMs + hourMs);
      await mutes.forgetAllOf('T0ACME');
      expect(await mutes.list('T0ACME', nowMs)).toEqual([]);
      expect(await mutes.list('T0GLOBEX', nowMs)).toHaveLength(1);
    });
  });

  describe(`kept hours in ${name}`, () => {
    const stage = stageDatabase(start);
    const kept = {
      fromMs: nowMs - 7 * dayMs,
      untilMs: nowMs,
      hours: { fromMs: nowMs - 7 * dayMs, stepMs: 2 * hourMs, means: { cpu: [12.5, null, 80], disk: [91] } },
    };

    test('come back as they were kept, the last for each VPS of each workspace', async () => {
      const store = createHoursStore(stage.db);
      const acme = store.of('T0ACME');
      await acme.keep('VPS-10001', { ...kept, untilMs: nowMs - dayMs });
      await acme.keep('VPS-10001', kept);
      expect(await acme.find('VPS-10001')).toEqual(kept);
      expect(await acme.find('VPS-10002')).toBeUndefined();
      expect(await store.of('T0GLOBEX').find('VPS-10001')).toBeUndefined();
    });

    test('tell of which VPS the week need not be read anew', async () => {
      const store = createHoursStore(stage.db);
      await store.of('T0ACME').keep('VPS-10001', kept);
      await store.of('T0ACME').keep('VPS-10002', { ...kept, untilMs: nowMs - 3 * dayMs });
      const reaching = await store.reaching('T0ACME', { fromMs: nowMs, untilMs: nowMs + dayMs });
      expect(['VPS-10001', 'VPS-10002', 'VPS-10003'].filter(reaching)).toEqual(['VPS-10001']);
    });

    test('are forgotten when nobody has asked for a month, and with their workspace', async () => {
      const store = createHoursStore(stage.db);
      await store.of('T0ACME').keep('VPS-10001', kept);
      await store.of('T0ACME').keep('VPS-10002', { ...kept, untilMs: nowMs - 31 * dayMs });
      await store.of('T0GLOBEX').keep('VPS-10003', kept);
      const isKept = async (teamId: string, vps: string) => (await store.of(teamId).find(vps)) !== undefined;
      await store.forgetOld(nowMs);
      expect(await isKept('T0ACME', 'VPS-10001')).toBe(true);
      expect(await isKept('T0ACME', 'VPS-10002')).toBe(false);
      await store.forgetAllOf('T0ACME');
      expect(await isKept('T0ACME', 'VPS-10001')).toBe(false);
      expect(await isKept('T0GLOBEX', 'VPS-10003')).toBe(true);
    });
  });
}
