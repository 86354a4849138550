import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs, type Jobs } from '../../../src/jobs/jobs.ts';
import { createOutbox, type Outbox } from '../../../src/messages/outbox.ts';
import { type ApiKeyStore, createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { createKeyReminders } from '../../../src/workspaces/api-key/key-reminders.ts';
import { createWelcomeMessages } from '../../../src/workspaces/api-key/welcome-messages.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { settle } from '../../jobs/jobs-fixture.ts';
import { testVault } from '../../runs/test-vault.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const startMs = 1_000 * dayMs;
const log = pino({ level: 'silent' });
const database = useTestDatabase(startSqlite);

let clock: ManualClock;
let jobs: Jobs;
let outbox: Outbox;
let keys: ApiKeyStore;
let admins: readonly string[];
const listAdmins = async () => admins;

beforeEach(() => {
  clock = createManualClock(startMs);
  const databaseClock = createLocalDatabaseClock(clock);
  jobs = createJobs({ db: database.db, databaseClock, hasReplicas: false, log });
  outbox = createOutbox({ db: database.db, jobs, log });
  keys = createApiKeyStore(database.db, testVault);
  admins = ['U0ALICE'];
});

const listMessages = () =>
  database.db
    .selectFrom('message')
    .select(['channel', 'about', 'changed_at'])
    .orderBy('changed_at')
    .execute();
const listRecipients = async () => (await listMessages()).map(({ channel }) => channel);

describe('reminders of an old key', () => {
  beforeEach(() => keys.save('T1', { apiKey: 'a', fingerprint: 'f', limit: 50 }, startMs, 'U1').then());

  /** Lets two replicas check every hour for some days. */
  async function advanceDays(days: number) {
    const replicas = [0, 1].map(() => createKeyReminders({ keys, outbox, listAdmins }));
    for (let hour = 0; hour < days * 24; hour += 1) {
      clock.jumpTo(clock.now() + hourMs);
      await Promise.all(replicas.map((each) => each.run({ signal: new AbortController().signal, clock })));
    }
  }

  test('are not sent before 60 days', async () => {
    await advanceDays(59);
    expect(await listMessages()).toEqual([]);
  });

  test('are sent weekly from 60 days and daily from 90 days, by one replica', async () => {
    await advanceDays(94);
    const messages = await listMessages();
    const days = messages.map((message) => Math.round((message.changed_at - startMs) / dayMs));
    expect(days).toEqual([60, 67, 74, 81, 88, 90, 91, 92, 93, 94]);
    expect(messages[0]?.about).toBe("This workspace's API key is 60 days old");
    expect(messages.at(-1)?.about).toMatch(/^Replace this workspace's API key: it is 9[34] days old$/);
  });

  test('end when the key is replaced', async () => {
    await advanceDays(61);
    await keys.save('T1', { apiKey: 'b', fingerprint: 'g', limit: 50 }, clock.now(), 'U1');
    await advanceDays(59);
    expect(await listMessages()).toHaveLength(1);
  });

  test('are sent later if nobody is known to be an admin', async () => {
    admins = [];
    await advanceDays(61);
    admins = ['U0ALICE'];
    await advanceDays(1);
    expect(await listMessages()).toHaveLength(1);
  });

  test('go to ten admins at most', async () => {
    admins = Array.from({ length: 12 }, (_, index) => `U${index}`);
    await advanceDays(60);
    expect(await listRecipients()).toEqual(admins.slice(0, 10));
  });
});

describe('the message that asks a new workspace for a key', () => {
  const installation = {
    teamId: 'T1',
    teamName: 'Acme',
    enterpriseId: null,
    botId: 'B1',
    botUserId: 'U0BOT',
    botToken: 'xoxb-1',
  };

  async function welcome(...installers: readonly (string | undefined)[]) {
    const planWelcome = createWelcomeMessages({ jobs, keys, outbox, listAdmins });
    outbox.connect({
      transport: {
        post: async ({ channel }) => ({ kind: 'sent', ref: { channel, ts: '1' } }),
        edit: async (_, ref) => ({ kind: 'sent', ref }),
        remove: async () => ({ kind: 'empty' }),
        find: async () => ({ kind: 'notFound' }),
      },
      listAdmins,
    });
    await jobs.start();
    for (const installer of installers) {
      await planWelcome(installation, installer);
      await clock.advanceTo(clock.now() + 60_000, settle);
    }
    await jobs.stop(0);
    return listRecipients();
  }

  test.each([
    { installer: 'U0BOB', asked: ['U0BOB'] },
    { installer: 'U0CAROL', asked: ['U0ALICE', 'U0BOB'] },
    { installer: undefined, asked: ['U0ALICE', 'U0BOB'] },
  ])(
    'goes to $asked of the admins Alice and Bob if $installer has installed the app',
    async ({ installer, asked }) => {
      admins = ['U0ALICE', 'U0BOB'];
      expect(await welcome(installer)).toEqual(asked);
    },
  );

  test('comes again if the app is installed again', async () => {
    expect(await welcome('U0ALICE', 'U0ALICE')).toEqual(['U0ALICE', 'U0ALICE']);
  });

  test('is not sent if a key was connected meanwhile', async () => {
    await keys.save('T1', { apiKey: 'a', fingerprint: 'f', limit: 50 }, startMs, 'U1');
    expect(await welcome('U0ALICE')).toEqual([]);
  });
});
