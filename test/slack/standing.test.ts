import { webApi } from '@slack/bolt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createSlackSandbox, type SlackSandbox } from '../../src/sandbox/slack/sandbox.ts';
import type { SlackClients } from '../../src/slack/clients.ts';
import { createDirectory, standingOf } from '../../src/slack/standing.ts';
import { manifestPath } from '../stack.ts';

const team = 'T0ACME';
const person = { id: 'U1', team_id: team };

describe('somebody is', () => {
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
    ['of another organisation', { ...person, team_id: 'T9', is_admin: true }, 'stranger'],
    ['a stranger by the word of Slack', { ...person, is_stranger: true, is_owner: true }, 'stranger'],
    ['of the same organisation', { ...person, team_id: 'T9', enterprise_user: { teams: [team] } }, 'member'],
    [
      'of the same organisation, and an owner somewhere in it',
      { ...person, team_id: 'T9', is_owner: true, is_admin: true, enterprise_user: { teams: [team] } },
      'member',
    ],
    [
      'of another workspace of it',
      { ...person, team_id: 'T9', enterprise_user: { teams: ['T8'] } },
      'stranger',
    ],
    ['not said', undefined, 'unknown'],
    ['of no workspace that is said', { id: 'U1' }, 'unknown'],
  ])('%s', (_, user, expected) => {
    expect(standingOf(user, team)).toBe(expected);
  });
});

describe('the directory', () => {
  let slack: SlackSandbox;
  let clients: SlackClients;
  let nowMs = 0;
  const log = { warn: vi.fn() };
  const directory = () => createDirectory(clients, log, () => nowMs);

  beforeAll(async () => {
    slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
    const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${slack.url}/api/` });
    clients = async () => client;
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
    ['U0ERIN', 'stranger'],
    ['U0APPACME', 'bot'],
    ['U0NOBODY', 'unknown'],
  ])('knows who %s is: %s', async (userId, expected) => {
    expect(await directory().standingOf({ teamId: team, userId })).toBe(expected);
  });

  test('asks once in a minute who somebody is, however many ask', async () => {
    const before = await callsOf('users.info');
    const { standingOf: ask } = directory();
    const carol = { teamId: team, userId: 'U0CAROL' };
    await Promise.all([ask(carol), ask(carol), ask(carol)]);
    nowMs += 59_000;
    await ask(carol);
    expect(await callsOf('users.info')).toBe(before + 1);
    nowMs += 1_000;
    await ask(carol);
    expect(await callsOf('users.info')).toBe(before + 2);
  });

  test('knows groups and who is in them', async () => {
    const { membersOf, groupsOf, nameOf } = directory();
    expect(await membersOf(team, 'S0ONCALL')).toEqual(new Set(['U0ALICE', 'U0BOB']));
    expect(await membersOf(team, 'S0GONE')).toBe('no such group');
    expect(await groupsOf(team)).toContainEqual({
      id: 'S0RELEASE',
      handle: 'release',
      name: 'Release managers',
    });
    expect(await nameOf(team, 'S0ONCALL')).toBe('on-call');
    expect(await nameOf(team, 'U0BOB')).toBe('bob');
    expect(await nameOf(team, 'U0NOBODY')).toBe('U0NOBODY');
  });

  test('knows who owns the workspace', async () => {
    expect(await directory().adminsOf(team)).toEqual(['U0ALICE']);
  });

  test('takes nothing for granted where Slack cannot be reached, and asks again', async () => {
    let isReachable = false;
    const reachable = clients;
    const { standingOf: ask, membersOf } = createDirectory(
      async (teamId) => {
        if (!isReachable) throw new Error('no route');
        return reachable(teamId);
      },
      log,
      () => nowMs,
    );
    const alice = { teamId: team, userId: 'U0ALICE' };
    expect(await ask(alice)).toBe('unknown');
    expect(await membersOf(team, 'S0ONCALL')).toBe('unknown');
    isReachable = true;
    expect(await ask(alice)).toBe('admin');
  });
});
