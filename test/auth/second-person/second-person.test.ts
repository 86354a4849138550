import { beforeEach, describe, expect, test } from 'vitest';
import { createAuthorizer } from '../../../src/auth/authorizer.ts';
import { createGrantStore } from '../../../src/auth/grants/grant-store.ts';
import type { MemberDirectory } from '../../../src/auth/member-directory.ts';
import type { PendingAct } from '../../../src/auth/second-person/pending-act.ts';
import {
  createPendingActStore,
  type PendingActStore,
} from '../../../src/auth/second-person/pending-act-store.ts';
import {
  createSecondPerson,
  type NewPendingAct,
  type SecondPerson,
} from '../../../src/auth/second-person/second-person.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { testVault } from '../../runs/test-vault.ts';
import { createMemberDirectory } from '../member-directory-fixture.ts';

const teamId = 'T0ACME';
const alice = { teamId, userId: 'U0ALICE' };
const zoe = { actor: { teamId, userId: 'U0ZOE' }, origin: {} };
const bob = { actor: { teamId, userId: 'U0BOB' }, origin: {} };

const dropRule: NewPendingAct = {
  actor: alice,
  kind: 'drop_rule',
  subject: 'rule-1',
  title: 'Delete the approval rule for reboot',
  right: 'admin',
  vps: [],
  expiresMs: 5_000,
  route: { channel: null },
};

const database = useTestDatabase(startSqlite);
let store: PendingActStore;
let nowMs: number;
let sent: { readonly act: PendingAct; readonly people: readonly string[] }[];
let shown: PendingAct[];
let carriedOut: string[];
/** How many cards arrive. */
let reachable: number | Error;

beforeEach(() => {
  store = createPendingActStore(database.db);
  [nowMs, reachable] = [1_000, 1];
  [sent, shown, carriedOut] = [[], [], []];
});

function createWith(admins: readonly string[], isSlackSilent = false): SecondPerson {
  const directory: MemberDirectory = {
    ...createMemberDirectory({ admins }),
    ...(isSlackSilent && { listAdmins: async () => ({ kind: 'unknown' }) }),
  };
  return createSecondPerson({
    store,
    authorizer: createAuthorizer({ store: createGrantStore(database.db), directory }),
    cards: {
      async send(act, people) {
        if (reachable instanceof Error) throw reachable;
        sent.push({ act, people });
        return Array.from({ length: reachable }, (_, card) => ({ channel: `D${card}`, ts: '1.2' }));
      },
      showDecision: async (act) => void shown.push(act),
    },
    runs: createRunStore(database.db, testVault),
    handlers: {
      drop_rule: async ({ subject }) => void carriedOut.push(subject),
      revoke_admin: async ({ subject }) => void carriedOut.push(`revoke ${subject}`),
      schedule: async ({ subject }) => void carriedOut.push(`schedule ${subject}`),
      reveal: async ({ subject }) => void carriedOut.push(`reveal ${subject}`),
    },
    now: () => nowMs,
  });
}

const listActs = () => database.db.selectFrom('pending_act').selectAll().execute();
const listEntries = () =>
  database.db.selectFrom('run').select(['operation', 'user_id', 'status', 'outcome']).execute();

describe('an act that needs a second person', () => {
  test('is asked for once, of everybody else who is allowed it', async () => {
    const { ask } = createWith(['U0ALICE', 'U0ZOE', 'U0YAN']);
    reachable = 2;
    expect(await ask(dropRule)).toEqual({ kind: 'asked', count: 2 });
    expect(await ask(dropRule)).toEqual({ kind: 'asked', count: 2 });
    expect(sent.map(({ people }) => people)).toEqual([['U0ZOE', 'U0YAN']]);
    expect(await ask({ ...dropRule, subject: 'rule-2' })).toEqual({ kind: 'asked', count: 2 });
    expect(await ask({ ...dropRule, kind: 'reveal' })).toEqual({ kind: 'asked', count: 2 });
    expect(await ask({ ...dropRule, actor: zoe.actor })).toEqual({ kind: 'asked', count: 2 });
    expect(await ask({ ...dropRule, actor: { ...alice, teamId: 'T2' } })).toEqual({
      kind: 'asked',
      count: 2,
    });
    expect(sent).toHaveLength(5);
  });

  test('is not stored if nobody else could approve it, or nobody was reached', async () => {
    expect(await createWith(['U0ALICE']).ask(dropRule)).toEqual({ kind: 'nobody' });
    const { ask } = createWith(['U0ALICE', 'U0ZOE']);
    reachable = 0;
    expect(await ask(dropRule)).toEqual({ kind: 'unreachable' });
    reachable = new Error('Slack is down');
    await expect(ask(dropRule)).rejects.toThrow('Slack is down');
    expect(await listActs()).toEqual([]);
    expect(await createWith(['U0ALICE'], true).ask(dropRule)).toEqual({ kind: 'unreachable' });
  });

  test.each(['approved', 'declined'] as const)('is %s once, told, and in the activity log', async (kind) => {
    const { ask, decide } = createWith(['U0ALICE', 'U0ZOE']);
    await ask(dropRule);
    const id = sent[0]?.act.id ?? '';
    expect(await decide(id, kind, zoe)).toEqual({ kind: 'decided' });
    expect(await decide(id, 'approved', zoe)).toEqual({ kind: 'gone' });
    expect(carriedOut).toEqual(kind === 'approved' ? ['rule-1'] : []);
    expect(shown).toMatchObject([{ id, cards: [{ channel: 'D0' }], decision: { kind, by: 'U0ZOE' } }]);
    expect(await listEntries()).toEqual([
      {
        operation: 'approval delete',
        user_id: 'U0ZOE',
        status: 'done',
        outcome: expect.stringContaining(`${kind === 'approved' ? 'Approved' : 'Declined'}: Delete the`),
      },
    ]);
    expect(await ask(dropRule)).toEqual(kind === 'approved' ? { kind, by: 'U0ZOE' } : { kind });
  });

  test('is not approved by its own requester, who can withdraw it', async () => {
    const { ask, decide } = createWith(['U0ALICE', 'U0ZOE']);
    await ask(dropRule);
    const id = sent[0]?.act.id ?? '';
    const own = { actor: alice, origin: {} };
    expect(await decide(id, 'approved', own)).toMatchObject({ kind: 'problem' });
    expect(carriedOut).toEqual([]);
    expect(await decide(id, 'declined', own)).toEqual({ kind: 'decided' });
  });

  test('is decided by nobody without the right, in another workspace, or after it has expired', async () => {
    const { ask, decide } = createWith(['U0ALICE', 'U0ZOE']);
    await ask(dropRule);
    const id = sent[0]?.act.id ?? '';
    for (const kind of ['approved', 'declined'] as const) {
      expect(await decide(id, kind, bob)).toMatchObject({
        kind: 'problem',
        problem: { code: 'not_permitted' },
      });
      const elsewhere = { ...zoe, actor: { ...zoe.actor, teamId: 'T2' } };
      expect(await decide(id, kind, elsewhere)).toEqual({ kind: 'gone' });
      expect(await decide('another', kind, zoe)).toEqual({ kind: 'gone' });
    }
    nowMs = dropRule.expiresMs;
    expect(await decide(id, 'approved', zoe)).toEqual({ kind: 'gone' });
    expect(await store.decide(id, 'approved', 'U0ZOE', nowMs)).toBe(false);
    expect([carriedOut, shown, await listEntries()]).toEqual([[], [], []]);
  });
});

describe('an approval', () => {
  test('does nothing if the requester has lost the right since', async () => {
    await createWith(['U0ALICE', 'U0ZOE']).ask(dropRule);
    const [act] = await listActs();
    const { decide } = createWith(['U0ZOE']);
    expect(await decide(act?.id ?? '', 'approved', zoe)).toMatchObject({
      kind: 'problem',
      problem: { message: 'The person who requested this is no longer allowed to do it.' },
    });
    expect(carriedOut).toEqual([]);
    expect(await decide(act?.id ?? '', 'declined', zoe)).toEqual({ kind: 'decided' });
  });

  test('of a schedule takes effect at the next click if the process ended before', async () => {
    const { ask, decide } = createWith(['U0ALICE', 'U0ZOE']);
    await ask({ ...dropRule, kind: 'schedule' });
    const [act] = await listActs();
    await store.decide(act?.id ?? '', 'approved', 'U0ZOE', nowMs);
    expect(await decide(act?.id ?? '', 'approved', zoe)).toEqual({ kind: 'gone' });
    expect(carriedOut).toEqual(['schedule rule-1']);
  });
});
