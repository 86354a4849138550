import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Granted } from '../../../src/app.ts';
import { allOperations } from '../../../src/operations/all.ts';
import { eventually } from '../../eventually.ts';
import { type RunningStack, startStack, textOf } from '../../stack.ts';

/** What somebody holds, from nothing on; each includes those before it. `some`: to look at VPS-1000*. */
const levels = ['nothing', 'some', 'look', 'change', 'destroy', 'administer'] as const;

type Level = (typeof levels)[number];

/** Everything that can be typed, by what it takes at least. */
const least: Readonly<Record<Level, readonly string[]>> = {
  nothing: ['help', 'quota', 'access', 'access ask destroy VPS-10002', 'history'],
  some: [
    'status',
    'whoami',
    'list',
    'show VPS-10001',
    'ips VPS-10001',
    'live VPS-10004',
    'graph VPS-10004',
    'snapshot list VPS-10005',
    'vlan list VPS-10002',
    'backup show VPS-10001',
    'report run Nothing',
  ],
  look: ['show VPS-10012', 'webgate', 'ip list', 'ssh list', 'approval list', 'report list'],
  change: [
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
  administer: [
    'connect',
    'rotate',
    'disconnect',
    'history --export csv',
    'history --to #general',
    'access grant @alice look',
    'access revoke @alice',
    'access channel #quiet destroy',
    'approval require destroy',
    'approval drop nothing',
  ],
};

const everything = levels.flatMap((level) => least[level]);

interface Kind {
  readonly user: string;
  /** What they get, up to this; nobody of another organisation gets even what takes nothing. */
  readonly level: Level | 'outside';
  readonly held?: Omit<Granted, 'grantee'>;
}

const held = (right: Granted['right'], pattern = '*') => ({ right, pattern });

/** People of every kind, as many at once as there are in the workspace. */
const casts: readonly (readonly Kind[])[] = [
  [
    { user: 'U0ALICE', level: 'administer' },
    { user: 'U0BOB', level: 'nothing' },
    { user: 'U0CAROL', level: 'some', held: held('look', 'VPS-1000*') },
    { user: 'U0DAVE', level: 'outside', held: held('destroy') },
    { user: 'U0ERIN', level: 'outside', held: held('administer') },
  ],
  [
    { user: 'U0BOB', level: 'look', held: held('look') },
    { user: 'U0CAROL', level: 'change', held: held('change') },
  ],
  [
    { user: 'U0BOB', level: 'destroy', held: held('destroy') },
    { user: 'U0CAROL', level: 'administer', held: held('administer') },
  ],
];

const refusals = /You lack the right|Guests of this workspace cannot|Only people of this workspace can/;

/** What a person gets for what they type. */
async function typed({ slack }: RunningStack, user: string, text: string): Promise<'answered' | 'refused'> {
  const before = await slack.messages('C0OPS', user);
  // Slack takes one message a second for a channel.
  await slack.act('clock', { advance_ms: 1_000 });
  await slack.slash(text, { user });
  const said = await eventually(async () => {
    const [modal] = await slack.openModals(user);
    if (modal && !textOf(modal).includes('One moment')) {
      await slack.act('close', { user, view: modal.id });
      return textOf(modal);
    }
    const after = await slack.messages('C0OPS', user);
    const answer = after.find(({ ts }) => !before.some((one) => one.ts === ts));
    if (!answer) throw new Error(`${user} got no answer to ${text}`);
    return answer.text;
  });
  return refusals.test(said) ? 'refused' : 'answered';
}

describe.each(casts.map((cast) => ({ cast, names: cast.map(({ level }) => level).join(', ') })))(
  'what is typed by who holds $names',
  ({ cast }) => {
    let running: RunningStack;
    beforeAll(async () => {
      const grants = cast.flatMap(({ user: grantee, held }) => (held ? [{ grantee, ...held }] : []));
      running = await startStack({ hosting: { windowMs: 200 }, grants });
    });
    afterAll(() => running.close());

    test('is answered as far as that goes, and no further', { timeout: 120_000 }, async () => {
      const got = [];
      for (const { user, level } of cast) {
        const answered: string[] = [];
        for (const text of everything) {
          if ((await typed(running, user, text)) === 'answered') answered.push(text);
        }
        got.push({ user, level, answered });
      }
      const upTo = (level: Kind['level']) =>
        level === 'outside' ? [] : levels.slice(0, levels.indexOf(level) + 1).flatMap((one) => least[one]);
      expect(got).toEqual(cast.map(({ user, level }) => ({ user, level, answered: upTo(level) })));
    });
  },
);

test('everything that can be typed is typed', () => {
  const names = allOperations().groups.flatMap(({ operations }) => operations.map(({ name }) => name));
  for (const name of names) {
    expect(
      everything.some((text) => text === name || text.startsWith(`${name} `)),
      name,
    ).toBe(true);
  }
});
