import { beforeEach, describe, expect, test } from 'vitest';
import type { Ask } from '../../src/asks/ask.ts';
import { toAskToken } from '../../src/asks/ask-token.ts';
import { type Asks, createAsks } from '../../src/asks/asks.ts';
import { createAuthorizer } from '../../src/auth/authorizer.ts';
import { createAccessAskRules } from '../../src/auth/grants/ask-access.ts';
import { createGrantStore } from '../../src/auth/grants/grant-store.ts';
import type { MemberDirectory } from '../../src/auth/member-directory.ts';
import { RackhandError } from '../../src/errors.ts';
import { createRunStore } from '../../src/runs/store/run-store.ts';
import { createMemberDirectory } from '../auth/member-directory-fixture.ts';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { testVault } from '../runs/test-vault.ts';
import { createUnsentAsks, listCards } from './unsent-asks.ts';

const teamId = 'T0ACME';
const alice = { teamId, userId: 'U0ALICE' };
const zoe = { actor: { teamId, userId: 'U0ZOE' }, origin: {} };
const bob = { actor: { teamId, userId: 'U0BOB' }, origin: {} };
const bothAdmins = ['U0ALICE', 'U0ZOE'];

type Request = Parameters<Asks['ask']>[0];

const dropRule: Request = {
  actor: alice,
  kind: 'drop_rule',
  subject: 'rule-1',
  title: 'Delete the approval rule for reboot',
  required: { right: 'admin', vps: [] },
  expiresMs: 500_000,
  route: { channel: null },
};

/** Bob's request for the right to operate every VPS. */
const access: Request = {
  ...dropRule,
  actor: bob.actor,
  kind: 'access',
  subject: JSON.stringify({ right: 'operate', patterns: ['*'], for: '' }),
  title: 'operate on all VPS',
};

const database = useTestDatabase(startSqlite);
let nowMs: number;
const now = () => nowMs;
let carriedOut: string[];
/** The last request. */
let asked: Ask | undefined;
/** What carrying out a decision fails with, and recording it. */
let failures: { effect?: Error; record?: Error };

beforeEach(() => {
  [nowMs, failures, carriedOut, asked] = [1_000, {}, [], undefined];
});

function createWith(
  admins: readonly string[],
  isSlackSilent = false,
  memberTypes: Parameters<typeof createMemberDirectory>[0] = {},
): Asks {
  const directory: MemberDirectory = {
    ...createMemberDirectory({ admins, ...memberTypes }),
    ...(isSlackSilent && { listAdmins: async () => ({ kind: 'unknown' }) }),
  };
  const grants = createGrantStore(database.db, undefined, now);
  const authorizer = createAuthorizer({ store: grants, directory });
  const rules = (operation: string) => ({
    operation,
    needsAskersAccess: true,
    async carryOut({ subject }: Ask) {
      if (failures.effect) throw failures.effect;
      carriedOut.push(subject);
    },
  });
  const accessRules = createAccessAskRules(grants, directory);
  const unsent = createUnsentAsks(database.db, directory, now);
  const runs = createRunStore(database.db, testVault);
  return createAsks({
    ...unsent,
    messages: {
      ...unsent.messages,
      ask(ask, ...to) {
        asked = ask;
        return unsent.messages.ask(ask, ...to);
      },
    },
    findPeopleWith: authorizer.findPeopleWith,
    resolveAccess: authorizer.resolveAccess,
    runs: {
      async addAuditEntry(...entry) {
        if (failures.record) throw failures.record;
        await runs.addAuditEntry(...entry);
      },
    },
    runner: () => {
      throw new Error('no run is decided here');
    },
    kinds: {
      access: {
        ...accessRules,
        async carryOut(ask) {
          if (failures.effect) throw failures.effect;
          await accessRules.carryOut(ask);
        },
      },
      drop_rule: rules('approval delete'),
      revoke_admin: rules('access revoke'),
      schedule: rules('schedule'),
      reveal: rules('reveal'),
    },
    now: now,
    log: { error: () => undefined },
  });
}

/** Lets another process finish what this one has left, once it is old enough. */
async function finishLater(): Promise<void> {
  nowMs += 60_000;
  await createWith(bothAdmins).finishOverdue();
}

const listAsks = () => database.db.selectFrom('ask').selectAll().execute();
const listGrants = async () =>
  (await createGrantStore(database.db, undefined, now).listGrants(teamId)).map(
    ({ grantee, right, pattern, grantedBy }) => `${grantee} ${right} ${pattern} by ${grantedBy}`,
  );
const listEntries = () =>
  database.db.selectFrom('run').select(['operation', 'user_id', 'status', 'outcome']).execute();
/** The value of the buttons on the last request's cards. */
const lastToken = () => (asked ? toAskToken(asked) : '');
/** The last request as it is stored. */
const findLast = () =>
  createUnsentAsks(database.db, createMemberDirectory(), now).store.find(teamId, asked?.id ?? '');
const listAnswers = () =>
  database.db.selectFrom('message').select(['key', 'channel']).where('kind', '=', 'ask-answer').execute();

describe('a request', () => {
  test('is sent once, to everybody else who can decide it', async () => {
    const { ask } = createWith(['U0ALICE', 'U0ZOE', 'U0YAN']);
    expect(await ask(dropRule)).toMatchObject({ kind: 'asked', count: 2, isNew: true });
    expect(await ask(dropRule)).toMatchObject({ kind: 'asked', isNew: false });
    expect((await listCards(database.db)).map(({ channel }) => channel).sort()).toEqual(['U0YAN', 'U0ZOE']);
    await ask({ ...dropRule, subject: 'rule-2' });
    await ask({ ...dropRule, kind: 'reveal' });
    await ask({ ...dropRule, actor: zoe.actor });
    await ask({ ...dropRule, actor: { ...alice, teamId: 'T2' } });
    expect(await listAsks()).toHaveLength(5);
  });

  test('goes to the channel of its rule, and to at most ten people', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `U0ADMIN${index}`);
    const { ask } = createWith(many);
    await ask({ ...dropRule, route: { channel: 'C0OPS' } });
    expect(await listCards(database.db)).toMatchObject([{ channel: 'C0OPS', people: many.slice(0, 10) }]);
    expect(await ask({ ...dropRule, subject: 'rule-2' })).toMatchObject({ count: 10 });
  });

  test.each([
    ['its members who can decide', ['U0ZOE', 'U0BOB'], ['U0ZOE']],
    ['everyone who can decide if it is gone', undefined, ['U0ZOE', 'U0YAN']],
    ['everyone who can decide if none of its members can', ['U0BOB'], ['U0ZOE', 'U0YAN']],
    ['everyone who can decide if Slack does not answer', 'unknown', ['U0ZOE', 'U0YAN']],
  ] as const)('of a rule with a user group asks %s', async (_, members, people) => {
    const groups = members === undefined ? {} : { S0ONCALL: members };
    const { ask } = createWith(['U0ALICE', 'U0ZOE', 'U0YAN'], false, { groups });
    await ask({ ...dropRule, route: { channel: 'C0OPS', userGroup: 'S0ONCALL' } });
    expect(await listCards(database.db)).toMatchObject([{ channel: 'C0OPS', people }]);
  });

  test('is not stored if nobody else could decide it, or Slack does not say who', async () => {
    expect(await createWith(['U0ALICE']).ask(dropRule)).toEqual({ kind: 'nobody' });
    expect(await createWith(['U0ALICE'], true).ask(dropRule)).toEqual({ kind: 'unreachable' });
    expect(await listAsks()).toEqual([]);
  });

  test('that nobody decides in time ends, which its cards show and its asker is told', async () => {
    await createWith(bothAdmins).ask(dropRule);
    const { store } = createUnsentAsks(database.db, createMemberDirectory(), now);
    const ofRun = await store.add({ ...dropRule, kind: 'run' }, nowMs);
    nowMs = dropRule.expiresMs;
    await createWith(bothAdmins).finishOverdue();
    expect(await findLast()).toMatchObject({ decision: null, finishedMs: nowMs });
    // That of a run ends with its run, which tells its requester.
    expect(await store.find(teamId, ofRun.id)).toMatchObject({ finishedMs: null });
    expect(await listCards(database.db)).toMatchObject([{ channel: 'U0ZOE', version: 2 }]);
    await createWith(bothAdmins).finishOverdue();
    expect(await listAnswers()).toMatchObject([{ channel: 'U0ALICE' }]);
    expect(await listCards(database.db)).toMatchObject([{ version: 2 }]);
  });

  test.each(['approved', 'declined'] as const)(
    'is %s once, shown, and in the activity log',
    async (verdict) => {
      const { ask, decide } = createWith(bothAdmins);
      await ask(dropRule);
      expect(await decide(lastToken(), { ...zoe, verdict })).toMatchObject({
        kind: 'decided',
        isWithdrawn: false,
      });
      expect(await decide(lastToken(), { ...zoe, verdict: 'approved' })).toEqual({ kind: 'gone' });
      expect(carriedOut).toEqual(verdict === 'approved' ? ['rule-1'] : []);
      expect(await findLast()).toMatchObject({ decision: { verdict, by: 'U0ZOE' }, finishedMs: nowMs });
      expect(await listCards(database.db)).toMatchObject([{ channel: 'U0ZOE', version: 2 }]);
      expect(await listAnswers()).toMatchObject([{ channel: 'U0ALICE' }]);
      expect(await listEntries()).toEqual([
        {
          operation: 'approval delete',
          user_id: 'U0ZOE',
          status: 'done',
          outcome: expect.stringContaining(`${verdict === 'approved' ? 'Approved' : 'Declined'}: Delete the`),
        },
      ]);
      // An approval is used once, and what was done can have been undone since.
      expect(await ask(dropRule)).toMatchObject({ kind: 'asked', isNew: true });
    },
  );

  test('is approved only by a card that shows exactly this', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(dropRule);
    for (const token of [asked?.id ?? '', toAskToken({ id: asked?.id ?? '', subject: 'rule-2' })])
      expect(await decide(token, { ...zoe, verdict: 'approved' })).toEqual({ kind: 'gone' });
    expect(carriedOut).toEqual([]);
  });

  test('is decided once when two people decide it together', async () => {
    const { ask, decide } = createWith([...bothAdmins, 'U0YAN']);
    await ask(dropRule);
    const by = (userId: string, verdict: 'approved' | 'declined') =>
      decide(lastToken(), { actor: { teamId, userId }, origin: {}, verdict });
    const results = await Promise.all([by('U0ZOE', 'approved'), by('U0YAN', 'approved')]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['decided', 'gone']);
    expect(carriedOut).toEqual(['rule-1']);
  });

  test('is not approved by its own asker, who can withdraw it', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(dropRule);
    const own = { actor: alice, origin: {} };
    await expect(decide(lastToken(), { ...own, verdict: 'approved' })).rejects.toMatchObject({
      code: 'not_permitted',
    });
    expect(carriedOut).toEqual([]);
    expect(await decide(lastToken(), { ...own, verdict: 'declined' })).toMatchObject({ isWithdrawn: true });
    expect((await listEntries())[0]?.outcome).toContain('Withdrawn');
    expect(await listAnswers()).toEqual([]);
    expect(await ask(dropRule)).toMatchObject({ kind: 'asked', isNew: true });
  });

  test.each(['approved', 'declined'] as const)(
    'is not %s by somebody without the right, in another workspace, or after it has expired',
    async (verdict) => {
      const { ask, decide } = createWith(bothAdmins);
      await ask(dropRule);
      await expect(decide(lastToken(), { ...bob, verdict })).rejects.toMatchObject({ code: 'not_permitted' });
      const elsewhere = { ...zoe, actor: { ...zoe.actor, teamId: 'T2' } };
      expect(await decide(lastToken(), { ...elsewhere, verdict })).toEqual({ kind: 'gone' });
      expect(await decide('another', { ...zoe, verdict })).toEqual({ kind: 'gone' });
      nowMs = dropRule.expiresMs;
      expect(await decide(lastToken(), { ...zoe, verdict })).toEqual({ kind: 'gone' });
      expect([carriedOut, await listAnswers(), await listEntries()]).toEqual([[], [], []]);
    },
  );

  test('is not approved if its asker has lost the right since, and can be declined', async () => {
    await createWith(bothAdmins).ask(dropRule);
    const { decide } = createWith(['U0ZOE']);
    await expect(decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toThrow(
      'The person who requested this is no longer allowed to do it.',
    );
    expect(carriedOut).toEqual([]);
    expect(await decide(lastToken(), { ...zoe, verdict: 'declined' })).toMatchObject({ kind: 'decided' });
  });
});

describe('a decision', () => {
  test.each([
    ['before it was carried out', { effect: new Error('killed') }],
    ['after it was carried out', { record: new Error('killed') }],
  ])('is carried out and logged once if the process ends %s', async (_, failure) => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(access);
    failures = failure;
    const approval = decide(lastToken(), { ...zoe, verdict: 'approved' });
    await expect(approval).rejects.toThrow('killed');
    failures = {};
    await finishLater();
    expect(await listGrants()).toEqual(['U0BOB operate * by U0ZOE']);
    expect(await listAnswers()).toHaveLength(1);
    expect(await listEntries()).toHaveLength(1);
    await finishLater();
    expect(await listCards(database.db)).toMatchObject([{ version: 2 }, { version: 2 }]);
  });

  test.each([
    ['the approver', ['U0ALICE', 'U0YAN']],
    ['the asker', ['U0ZOE', 'U0YAN']],
  ])(
    'is not carried out after a crash if %s has lost the right since, and is open again',
    async (_, admins) => {
      const { ask, decide } = createWith(bothAdmins);
      await ask(dropRule);
      failures = { effect: new Error('killed') };
      await expect(decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toThrow('killed');
      failures = {};
      nowMs += 60_000;
      await createWith(admins).finishOverdue();
      expect([carriedOut, await listAnswers()]).toEqual([[], []]);
      expect(await findLast()).toMatchObject({ decision: null, finishedMs: null });
    },
  );

  test('waits while Slack does not say whether its people still have the right', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(dropRule);
    const silent = createWith([], false, { memberTypes: { U0ALICE: 'unknown', U0ZOE: 'admin' } });
    await expect(silent.decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toMatchObject({
      code: 'member_unknown',
      message: "Slack couldn't confirm that the person who requested this still has the right to do so.",
    });
    failures = { effect: new Error('killed') };
    await expect(decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toThrow('killed');
    failures = {};
    nowMs += 60_000;
    await silent.finishOverdue();
    expect(carriedOut).toEqual([]);
    await finishLater();
    expect(carriedOut).toEqual(['rule-1']);
  });

  test('of somebody whose process is still at work is left to it', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(dropRule);
    failures = { effect: new Error('slow') };
    await expect(decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toThrow('slow');
    failures = {};
    nowMs += 59_999;
    await createWith(bothAdmins).finishOverdue();
    expect(carriedOut).toEqual([]);
  });

  test('that was carried out is not taken back by a process that comes too late', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(dropRule);
    await decide(lastToken(), { ...zoe, verdict: 'approved' });
    const { store } = createUnsentAsks(database.db, createMemberDirectory(), now);
    if (asked) await store.reopen(asked, database.db);
    expect(await findLast()).toMatchObject({ decision: { verdict: 'approved' } });
  });

  test('that can never be carried out leaves the request open', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(dropRule);
    failures = { effect: new RackhandError('input_invalid', 'They left.') };
    await expect(decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toThrow('They left.');
    expect(await decide(lastToken(), { ...zoe, verdict: 'declined' })).toMatchObject({ kind: 'decided' });
  });
});

describe('a request for a right', () => {
  test('is granted for less than was asked, and for a time', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(access);
    await decide(lastToken(), { ...zoe, verdict: 'approved', less: { vps: 'VPS-100*', for: '8h' } });
    expect(await listGrants()).toEqual(['U0BOB operate VPS-100* by U0ZOE']);
    expect(await findLast()).toMatchObject({ title: 'operate on VPS-100* for 8h' });
    nowMs += 8 * 3_600_000;
    expect(await listGrants()).toEqual([]);
  });

  test('is not granted to somebody who has left since, and stays open', async () => {
    await createWith(bothAdmins).ask(access);
    const { decide } = createWith(bothAdmins, false, { memberTypes: { U0BOB: 'deleted' } });
    await expect(decide(lastToken(), { ...zoe, verdict: 'approved' })).rejects.toThrow('deactivated account');
    expect(await listGrants()).toEqual([]);
    expect(await decide(lastToken(), { ...zoe, verdict: 'declined' })).toMatchObject({ kind: 'decided' });
  });

  test('is granted for exactly that part if the process ends before', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(access);
    failures = { effect: new Error('killed') };
    const part = { ...zoe, verdict: 'approved', less: { vps: 'VPS-100*', for: '8h' } } as const;
    await expect(decide(lastToken(), part)).rejects.toThrow('killed');
    failures = {};
    await finishLater();
    expect(await listGrants()).toEqual(['U0BOB operate VPS-100* by U0ZOE']);
  });

  test('is for all of it again if a part could not be granted', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask(access);
    failures = { effect: new RackhandError('input_invalid', 'They left.') };
    const part = { ...zoe, verdict: 'approved', less: { vps: 'VPS-100*', for: '' } } as const;
    await expect(decide(lastToken(), part)).rejects.toThrow('They left.');
    failures = {};
    expect(await ask(access)).toMatchObject({ kind: 'asked', isNew: false });
    await decide(lastToken(), { ...zoe, verdict: 'approved' });
    expect(await listGrants()).toEqual(['U0BOB operate * by U0ZOE']);
  });

  test('is never granted on more than was asked, or for longer', async () => {
    const { ask, decide } = createWith(bothAdmins);
    await ask({ ...access, subject: JSON.stringify({ right: 'operate', patterns: ['VPS-1*'], for: '8h' }) });
    const longer = { ...zoe, verdict: 'approved', less: { vps: '', for: '30d' } } as const;
    await expect(decide(lastToken(), longer)).rejects.toThrow('The request is for 8h only.');
    for (const vps of ['VPS-2*', 'VPS-10001 VPS-20001', '*'])
      await expect(
        decide(lastToken(), { ...zoe, verdict: 'approved', less: { vps, for: '' } }),
      ).rejects.toThrow('The request is for VPS-1* only.');
    expect(await listGrants()).toEqual([]);
  });
});
