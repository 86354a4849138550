import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { type ApiKeyStore, createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { createKeyReminders } from '../../../src/workspaces/api-key/key-reminders.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const log = pino({ level: 'silent' });

let database: OpenDatabase;
let keys: ApiKeyStore;
let nowMs = 0;
let sent: { readonly day: number; readonly teamId: string; readonly title: string }[];
let isSlackDown = false;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  keys = createApiKeyStore(database.db, createVault([randomBytes(32)]));
  nowMs = 1_000 * dayMs;
  sent = [];
  isSlackDown = false;
  await keys.save('T1', { apiKey: 'a', fingerprint: 'f', limit: 50 }, nowMs, 'U1');
});
afterEach(() => database.close());

/** A process that shares the database with other replicas. */
const replica = () =>
  createKeyReminders({
    keys,
    log,
    async sendReminder(teamId, { title }) {
      if (isSlackDown) throw new Error('Slack is down');
      sent.push({ day: (nowMs - 1_000 * dayMs) / dayMs, teamId, title });
      return true;
    },
  });

/** Lets two replicas check every hour for some days. */
async function advanceDays(days: number) {
  const replicas = [replica(), replica()];
  for (let hour = 0; hour < days * 24; hour += 1) {
    nowMs += hourMs;
    await Promise.all(
      replicas.map((each) =>
        each.run({ signal: new AbortController().signal, clock: createManualClock(nowMs) }),
      ),
    );
  }
}

describe('reminders of an old key', () => {
  test('are not sent before 60 days', async () => {
    await advanceDays(59);
    expect(sent).toEqual([]);
  });

  test('are sent weekly from 60 days and daily from 90 days, by one replica', async () => {
    await advanceDays(94);
    const days = sent.map(({ day }) => Math.round(day));
    expect(days).toEqual([60, 67, 74, 81, 88, 90, 91, 92, 93, 94]);
    expect(sent[0]?.title).toBe('API key of this workspace is 60 days old');
    expect(sent.at(-1)?.title).toMatch(/^Replace the API key .* 9[34] days old$/);
  });

  test('end when the key is replaced', async () => {
    await advanceDays(61);
    await keys.save('T1', { apiKey: 'b', fingerprint: 'g', limit: 50 }, nowMs, 'U1');
    await advanceDays(59);
    expect(sent).toHaveLength(1);
  });

  test('are sent later if Slack was down', async () => {
    isSlackDown = true;
    await advanceDays(61);
    isSlackDown = false;
    await advanceDays(1);
    expect(sent).toHaveLength(1);
  });
});
