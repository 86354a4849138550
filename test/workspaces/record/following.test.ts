import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunStore } from '../../../src/operations/runs/run-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { createFollowerStore } from '../../../src/workspaces/record/follower-store.ts';
import { createRecordFollowing, type Told } from '../../../src/workspaces/record/following.ts';
import type { News } from '../../../src/workspaces/record/news.ts';
import { keepRuns, refusal, rowsOf } from './kept-runs.ts';
import { catalogue } from './recorded.ts';

const log = { error: vi.fn(), warn: vi.fn() };
const follower = { teamId: 'T1', channel: 'C0LOG', setBy: 'U1', setMs: 100 };

let database: OpenDatabase;
let nowMs: number;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  nowMs = 1_000;
  await createFollowerStore(database.db).set(follower);
});
afterEach(() => database.close());

/** A replica that tells, and what it has told; `answers` are what Slack says to it, one after the other. */
function replica(answers: (Told | Error)[] = []) {
  const messages: string[][] = [];
  const people: unknown[] = [];
  const following = createRecordFollowing({
    followers: createFollowerStore(database.db),
    runs: createRunStore(database.db),
    catalogue,
    nameOf: async (_, id) => id,
    voice: {
      async tellChannel(_, channel, news: readonly News[]) {
        const answer = answers.shift() ?? 'told';
        if (answer instanceof Error) throw answer;
        if (answer === 'told') messages.push([channel, ...news.map(({ what }) => what)]);
        return answer;
      },
      greet: async () => 'told',
      async tellPerson(...told) {
        people.push(told);
      },
    },
    log,
    now: () => nowMs,
  });
  return { ...following, messages, people };
}

const keep = (...runs: Parameters<typeof keepRuns>[1]) => keepRuns(database.db, runs);
const listing = { operation: 'list', input: '{}', target: null };

describe('a channel that follows along', () => {
  test('is told what is worth it in one message, once, by one replica', async () => {
    await keep(
      { id: 'a', settled_at: 200 },
      { id: 'b', settled_at: 300, ...listing },
      {
        id: 'c',
        settled_at: 400,
        target: 'VPS-10002',
        status: 'refused',
        error_code: 'not_permitted',
        outcome: refusal('You may not.'),
      },
    );
    const [one, another] = [replica(), replica()];
    for (let looks = 0; looks < 3; looks += 1) await Promise.all([one.look(), another.look()]);
    expect([...one.messages, ...another.messages]).toEqual([
      ['C0LOG', 'reboot VPS-10001', 'reboot VPS-10002'],
    ]);
  });

  test('is told what ends at once in several messages, one at each look, and none of it twice', async () => {
    await keep(
      ...Array.from({ length: 45 }, (_, index) => ({
        id: `run-${index}`,
        settled_at: 200 + index,
        target: `VPS-${index}`,
      })),
    );
    const one = replica();
    for (let looks = 0; looks < 5; looks += 1) await one.look();
    expect(one.messages.map((message) => message.length - 1)).toEqual([20, 20, 5]);
    const told = one.messages.flatMap(([, ...what]) => what);
    expect(told).toEqual(Array.from({ length: 45 }, (_, index) => `reboot VPS-${index}`));
  });

  test('is told later what Slack did not take, after the pause that it wants', async () => {
    await keep({ id: 'a', settled_at: 200 });
    const one = replica([{ againInMs: 30_000 }]);
    await one.look();
    nowMs += 29_999;
    await one.look();
    expect(one.messages).toEqual([]);
    nowMs += 1;
    await one.look();
    expect(one.messages).toEqual([['C0LOG', 'reboot VPS-10001']]);
  });

  test('is told by another replica once the one that told it is gone, from where that was', async () => {
    await keep({ id: 'a', settled_at: 200 });
    const [one, another] = [replica(), replica()];
    await one.look();
    await keep({ id: 'b', settled_at: 300, target: 'VPS-10002' });
    await another.look();
    expect(another.messages).toEqual([]);
    await one.stop();
    await another.look();
    expect(another.messages).toEqual([['C0LOG', 'reboot VPS-10002']]);
  });

  test('that can hear nothing any more follows no longer, and whoever set it is told, once', async () => {
    await keep({ id: 'a', settled_at: 200 });
    const one = replica(['gone']);
    await one.look();
    await one.look();
    expect(one.people).toEqual([
      ['T1', 'U1', expect.objectContaining({ facts: [{ label: 'Channel', value: { channel: 'C0LOG' } }] })],
    ]);
    expect(await createFollowerStore(database.db).find('T1')).toBeUndefined();
    expect((await rowsOf(database.db)).filter(({ operation }) => operation === 'history')).toMatchObject([
      { target: '#C0LOG', status: 'done', user_id: 'U1' },
    ]);
  });

  test('keeps no other from being told where it cannot be', async () => {
    await createFollowerStore(database.db).set({ ...follower, teamId: 'T2', channel: 'C0OTHER' });
    await keep({ id: 'a', settled_at: 200 }, { id: 'b', settled_at: 200, team_id: 'T2' });
    const one = replica([new Error('Slack is on fire')]);
    await one.look();
    expect(one.messages).toHaveLength(1);
    expect(log.error).toHaveBeenCalled();
    await one.look();
    expect(one.messages).toHaveLength(2);
  });
});
