import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { createVault } from '../../src/storage/vault.ts';
import { type ApiKeyStore, createApiKeyStore } from '../../src/workspaces/api-key-store.ts';
import { createKeyReminders } from '../../src/workspaces/connection/reminders.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const log = pino({ level: 'silent' });

let database: OpenDatabase;
let keys: ApiKeyStore;
let nowMs = 0;
let told: { readonly day: number; readonly teamId: string; readonly title: string }[];
let isSlackAway = false;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  keys = createApiKeyStore(database.db, createVault([randomBytes(32)]));
  nowMs = 1_000 * dayMs;
  told = [];
  isSlackAway = false;
  await keys.save('T1', { apiKey: 'a', fingerprint: 'f', limit: 50 }, nowMs, 'U1');
});
afterEach(() => database.close());

/** As many processes as there are replicas, on one database. */
const replica = () =>
  createKeyReminders({
    keys,
    log,
    now: () => nowMs,
    async remind(teamId, { title }) {
      if (isSlackAway) throw new Error('Slack is away');
      told.push({ day: (nowMs - 1_000 * dayMs) / dayMs, teamId, title });
    },
  });

/** Lets two replicas look every hour of so many days. */
async function liveThrough(days: number) {
  const replicas = [replica(), replica()];
  for (let hour = 0; hour < days * 24; hour += 1) {
    nowMs += hourMs;
    await Promise.all(replicas.map((each) => each.look()));
  }
}

describe('the age of a key', () => {
  test('is nobody told of before 60 days', async () => {
    await liveThrough(59);
    expect(told).toEqual([]);
  });

  test('is told of from 60 days, once a week, and from 90 days every day, whichever replica looks', async () => {
    await liveThrough(94);
    const days = told.map(({ day }) => Math.round(day));
    expect(days).toEqual([60, 67, 74, 81, 88, 90, 91, 92, 93, 94]);
    expect(told[0]?.title).toBe('The API key of this workspace is 60 days old');
    expect(told.at(-1)?.title).toMatch(/^Replace the API key .* 9[34] days old$/);
  });

  test('is no longer told of when the key is replaced', async () => {
    await liveThrough(61);
    await keys.save('T1', { apiKey: 'b', fingerprint: 'g', limit: 50 }, nowMs, 'U1');
    await liveThrough(59);
    expect(told).toHaveLength(1);
  });

  test('is told of later where Slack was away', async () => {
    isSlackAway = true;
    await liveThrough(61);
    isSlackAway = false;
    await liveThrough(1);
    expect(told).toHaveLength(1);
  });
});
