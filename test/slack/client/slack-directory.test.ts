import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createDataTables } from '../../../src/slack/client/data-tables.ts';
import type { SlackClients } from '../../../src/slack/client/slack-clients.ts';
import { createSlackDirectory, toMemberType } from '../../../src/slack/client/slack-directory.ts';
import { manifestPath } from '../../stack.ts';

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
  let slack: SlackSandbox;
  let clients: SlackClients;
  let nowMs = 0;
  const log = { warn: vi.fn() };
  const directory = () => createSlackDirectory(clients, log, () => nowMs);

  beforeAll(async () => {
    slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
    const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${slack.url}/api/` });
    clients = Object.assign(async () => client, { apiUrl: `${slack.url}/api/`, ...createDataTables() });
  });
  afterAll(() => slack.close());

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

  test('looks a person up at most once a minute', async () => {
    const before = await callsOf('users.info');
    const { findMemberType: ask } = directory();
    const carol = { teamId: team, userId: 'U0CAROL' };
    await Promise.all([ask(carol), ask(carol), ask(carol)]);
    nowMs += 59_000;
    await ask(carol);
    expect(await callsOf('users.info')).toBe(before + 1);
    nowMs += 1_000;
    await ask(carol);
    expect(await callsOf('users.info')).toBe(before + 2);
  });

  test('looks a member with the right admin up again after five seconds', async () => {
    const { findMemberType } = directory();
    const bob = { teamId: team, userId: 'U0BOB' };
    const before = await callsOf('users.info');
    await findMemberType(bob, { mustBeRecent: true });
    nowMs += 4_999;
    await findMemberType(bob, { mustBeRecent: true });
    expect(await callsOf('users.info')).toBe(before + 1);
    nowMs += 1;
    await findMemberType(bob, { mustBeRecent: true });
    expect(await callsOf('users.info')).toBe(before + 2);
  });

  test('looks an owner up again after five seconds', async () => {
    const before = await callsOf('users.info');
    const { findMemberType: ask } = directory();
    const alice = { teamId: team, userId: 'U0ALICE' };
    await ask(alice);
    nowMs += 4_999;
    await ask(alice);
    expect(await callsOf('users.info')).toBe(before + 1);
    nowMs += 1;
    await ask(alice);
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
    const reachable = clients;
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
