import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GrantRef } from '../../../src/app.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';

/** Levels of access, each including those before it. `some` is the right *view* on VPS-1000*. */
const levels = ['nothing', 'some', 'view', 'operate', 'destroy', 'admin'] as const;

type Level = (typeof levels)[number];

/** Every command, by the lowest level that can run it. */
const commandsByLevel: Readonly<Record<Level, readonly string[]>> = {
  nothing: ['help', 'quota', 'access', 'access ask destroy VPS-10002', 'history'],
  some: [
    'status',
    'whoami',
    'list',
    'show VPS-10001',
    'ips VPS-10001',
    'os list VPS-10001',
    'live VPS-10004',
    'graph VPS-10004',
    'snapshot list VPS-10005',
    'vlan list VPS-10002',
    'backup show VPS-10001',
    'report run Nothing',
  ],
  view: ['show VPS-10012', 'webgate', 'ip list', 'ssh list', 'approval list', 'report list'],
  operate: [
    'reboot VPS-10001',
    'action VPS-10012 start',
    'snapshot create VPS-10003 nightly',
    'vlan create VPS-10001 office 10.40.0.0/24',
    'vlan attach VPS-10008 staging',
    'ip attach 198.18.0.23 VPS-10004',
    'domain add new.acme.example VPS-10003',
    'port open VPS-10002 http 8080',
    'lb create plain.acme.example --backend VPS-10001:80',
    'ssh set VPS-10004 2222',
    'backup enable VPS-10002',
    'report add never',
    'report pause Nothing',
    'report resume Nothing',
    'report delete Nothing',
  ],
  destroy: [
    'reinstall VPS-10001 --os debian-13',
    'password reset VPS-10001',
    'snapshot restore VPS-10005 WEEKLY',
    'snapshot delete VPS-10005 before-upgrade',
    'vlan detach VPS-10003 Backend',
    'vlan delete VPS-10001 10.30.0.0/24',
    'ip detach 503',
    'domain delete shop.acme.example',
    'port close 45020',
    'lb delete www.acme.example',
    'backup disable VPS-10001',
    'backup regenerate VPS-10001',
  ],
  admin: [
    'connect',
    'rotate',
    'disconnect',
    'history --export csv',
    'history --to #general',
    'access grant @alice view',
    'access revoke @alice',
    'access channel #quiet destroy',
    'approval require destroy',
    'approval drop nothing',
  ],
};

const everything = levels.flatMap((level) => commandsByLevel[level]);

interface UserKind {
  readonly user: string;
  /** `outside` can run nothing, not even commands that need no right. */
  readonly level: Level | 'outside';
  readonly held?: Omit<GrantRef, 'grantee'>;
}

const held = (right: GrantRef['right'], pattern = '*') => ({ right, pattern });

/** Every kind of user, in groups that fit into one workspace. */
const userGroups: readonly (readonly UserKind[])[] = [
  [
    { user: 'U0ALICE', level: 'admin' },
    { user: 'U0BOB', level: 'nothing' },
    { user: 'U0CAROL', level: 'some', held: held('view', 'VPS-1000*') },
    { user: 'U0DAVE', level: 'outside', held: held('destroy') },
    { user: 'U0ERIN', level: 'outside', held: held('admin') },
  ],
  [
    { user: 'U0BOB', level: 'view', held: held('view') },
    { user: 'U0CAROL', level: 'operate', held: held('operate') },
  ],
  [
    { user: 'U0BOB', level: 'destroy', held: held('destroy') },
    { user: 'U0CAROL', level: 'admin', held: held('admin') },
  ],
];

const denials = /You don't have permission|Guests can't|Only members of this workspace can/;

/** Types a command and waits for its reply or modal. */
async function runTyped({ slack }: RunningStack, user: string, text: string): Promise<'answered' | 'denied'> {
  // Slack accepts one message a second for a channel.
  await slack.act('clock', { advance_ms: 1_000 });
  await slack.slash(text, { user });
  const shown = await slack.untilSeen(async () => {
    const [modal] = await slack.openModals(user);
    if (modal && !blocksText(modal).includes('One moment')) {
      await slack.act('close', { user, view: modal.id });
      return blocksText(modal);
    }
    const [answer] = await slack.newMessages('C0OPS', user);
    if (!answer) throw new Error(`${user} got no answer to ${text}`);
    return answer.text;
  });
  return denials.test(shown) ? 'denied' : 'answered';
}

describe.each(userGroups.map((users) => ({ users, names: users.map(({ level }) => level).join(', ') })))(
  'every command typed with access $names',
  ({ users }) => {
    let running: RunningStack;
    beforeAll(async () => {
      const grants = users.flatMap(({ user: grantee, held }) => (held ? [{ grantee, ...held }] : []));
      running = await startStack({ hosting: { windowMs: 200 }, grants });
    });
    afterAll(() => running.close());

    test('gets its result exactly up to that level', { timeout: 120_000 }, async () => {
      const results = [];
      for (const { user, level } of users) {
        const answered: string[] = [];
        for (const text of everything) {
          if ((await runTyped(running, user, text)) === 'answered') answered.push(text);
        }
        results.push({ user, level, answered });
      }
      const upTo = (level: UserKind['level']) =>
        level === 'outside'
          ? []
          : levels.slice(0, levels.indexOf(level) + 1).flatMap((included) => commandsByLevel[included]);
      expect(results).toEqual(users.map(({ user, level }) => ({ user, level, answered: upTo(level) })));
    });
  },
);

test('the list covers every operation', () => {
  const names = hostingOperations().groups.flatMap(({ operations }) => operations.map(({ name }) => name));
  for (const name of names) {
    expect(
      everything.some((text) => text === name || text.startsWith(`${name} `)),
      name,
    ).toBe(true);
  }
});
