import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createSlackDirectory, toMemberType } from '../../../src/slack/client/slack-directory.ts';
import { useSlack } from '../use-slack.ts';

const team = 'T0ACME';
const person = { id: 'U1', team_id: team };

describe('the type of a Slack user is', () => {
  test.each([
    ['a member', person, 'member'],
    ['an admin', { ...person, is_admin: true }, 'admin'],
    ['an owner', { ...person, is_owner: true }, 'admin'],
    ['a guest', { ...person, is_restricted: true, is_ultra_restricted: true }, 'guest'],
    ['a guest who is said to be an admin', { ...person, is_restricted: true, is_admin: true }, 'guest'],
    ['deleted', { ...person, deleted: true, is_admin: true }, 'deleted'],
    ['a bot', { ...person, is_bot: true }, 'bot'],
    ['a workflow', { ...person, is_workflow_bot: true }, 'bot'],
    ["Slack's own bot", { ...person, id: 'USLACKBOT' }, 'bot'],
    ['of another organization', { ...person, team_id: 'T9', is_admin: true }, 'external'],
    ['a stranger by the word of Slack', { ...person, is_stranger: true, is_owner: true }, 'external'],
    ['of the same organization', { ...person, team_id: 'T9', enterprise_user: { teams: [team] } }, 'member'],
    [
      'of the same organization, and an owner somewhere in it',
      { ...person, team_id: 'T9', is_owner: true, is_admin: true, enterprise_user: { teams: [team] } },
      'member',
    ],
    [
      'of another workspace of it',
      { ...person, team_id: 'T9', enterprise_user: { teams: ['T8'] } },
      'external',
    ],
    ['not said', undefined, 'unknown'],
    ['of no workspace that is said', { id: 'U1' }, 'unknown'],
  ])('%s', (_, user, expected) => {
    expect(toMemberType(user, team)).toBe(expected);
  });
});

describe('the Slack directory', () => {
  const slack = useSlack();
  let nowMs = 0;
  const log = { warn: () => undefined };
  const directory = () => createSlackDirectory(slack.clients, log, () => nowMs);

  async function callsOf(method: string): Promise<number> {
    const answer = await (await fetch(`${slack.url}/sandbox/traffic`)).json();
    const { traffic } = z.object({ traffic: z.array(z.looseObject({ kind: z.string() })) }).parse(answer);
    return traffic.filter(({ kind }) => kind === method).length;
  }

  test.each([
    ['U0ALICE', 'admin'],
    ['U0BOB', 'member'],
    ['U0DAVE', 'guest'],
    ['U0ERIN', 'external'],
    ['U0APPACME', 'bot'],
    ['U0NOBODY', 'unknown'],
  ])('returns the type of %s: %s', async (userId, expected) => {
    expect(await directory().findMemberType({ teamId: team, userId })).toBe(expected);
  });

  test.each([
    ['a person', 'U0CAROL', 60_000, {}],
    ['a member with the right admin', 'U0BOB', 5_000, { mustBeRecent: true }],
    ['an owner', 'U0ALICE', 5_000, {}],
    ['a person whom Slack does not know', 'U0NOBODY', 60_000, {}],
  ])('looks %s up once, and again after a time', async (_, userId, afterMs, how) => {
    const before = await callsOf('users.info');
    const { findMemberType } = directory();
    const ask = () => findMemberType({ teamId: team, userId }, how);
    await Promise.all([ask(), ask(), ask()]);
    nowMs += afterMs - 1;
    await ask();
    expect(await callsOf('users.info')).toBe(before + 1);
    nowMs += 1;
    await ask();
    expect(await callsOf('users.info')).toBe(before + 2);
  });

  test('lists user groups and their members', async () => {
    const { listGroupMembers, listUserGroups, findDisplayName } = directory();
    expect(await listGroupMembers(team, 'S0ONCALL')).toEqual({
      kind: 'found',
      value: new Set(['U0ALICE', 'U0BOB']),
    });
    expect(await listGroupMembers(team, 'S0GONE')).toEqual({ kind: 'notFound' });
    expect(await listUserGroups(team)).toEqual({
      kind: 'found',
      value: expect.arrayContaining([{ id: 'S0RELEASE', handle: 'release', name: 'Release managers' }]),
    });
    expect(await findDisplayName(team, 'S0ONCALL')).toBe('on-call');
    expect(await findDisplayName(team, 'U0BOB')).toBe('bob');
    expect(await findDisplayName(team, 'U0NOBODY')).toBe('U0NOBODY');
  });

  test('lists the owners of the workspace', async () => {
    expect(await directory().listAdmins(team)).toEqual({ kind: 'found', value: ['U0ALICE'] });
  });

  test('returns unknown if Slack cannot be reached, and retries', async () => {
    let isReachable = false;
    const reachable = slack.clients;
    const { findMemberType: ask, listGroupMembers } = createSlackDirectory(
      Object.assign(
        async (teamId: string) => {
          if (!isReachable) throw new Error('no route');
          return reachable(teamId);
        },
        { apiUrl: reachable.apiUrl, adapt: reachable.adapt },
      ),
      log,
      () => nowMs,
    );
    const alice = { teamId: team, userId: 'U0ALICE' };
    expect(await ask(alice)).toBe('unknown');
    expect(await listGroupMembers(team, 'S0ONCALL')).toEqual({ kind: 'unknown' });
    isReachable = true;
    expect(await ask(alice)).toBe('admin');
  });
});
