import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { AppDescription } from '../apps/app-description.ts';
import { isObject } from '../json.ts';
import { readDocument } from '../read-document.ts';
import type { Person, WorkspaceSeed } from '../workspace/seed.ts';
import { createBotToken, createSlackId } from './slack-ids.ts';
import type { World } from './world.ts';
import { chooseWorldSchema, type WorkspaceDeclaration } from './world-schema.ts';

/** The name for all apps in a channel's list of members. */
const everyApp = 'app';

/** A description of workspaces. */
export interface ReadWorld {
  /** The apps that it names. */
  readonly apps: readonly AppDescription[];
  /**
   * Creates the workspaces for apps with these bot users. Throws an error that lists all
   * contradictions. IDs and tokens are in Slack's format and derived from the names.
   */
  createSeeds(appNames: readonly string[]): readonly WorkspaceSeed[];
}

/** Reads a world from a YAML or JSON file, or from an object. Throws an error that lists all problems. */
export function readWorld(source: string | World): ReadWorld {
  const label = typeof source === 'string' ? source : 'seed';
  const declaration = typeof source === 'string' ? readDocument('seed', source) : source;
  if (!isObject(declaration)) throw new Error(`${label} describes no workspace`);
  const result = chooseWorldSchema(declaration).safeParse(declaration);
  if (!result.success) throw invalidWorld(label, formatIssues(result.error));
  const { apps, workspaces } = result.data;
  const folder = typeof source === 'string' ? dirname(source) : '.';
  return {
    apps: apps.map(({ manifest, delivery }) => ({
      manifest: typeof manifest === 'string' ? resolve(folder, manifest) : manifest,
      delivery,
    })),
    createSeeds(appNames) {
      const problems = findProblems(workspaces, appNames);
      if (problems.length > 0) throw invalidWorld(label, problems);
      return workspaces.map((workspace) => toSeed(workspace, appNames));
    },
  };
}

function invalidWorld(label: string, problems: readonly string[]): Error {
  return new Error(
    `${label} is not a valid description of workspaces:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  );
}

function formatIssues(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${z.core.toDotPath(issue.path) || 'the document'}: ${issue.message}`);
}

function findProblems(workspaces: readonly WorkspaceDeclaration[], appNames: readonly string[]): string[] {
  return [
    ...findDuplicates(workspaces.map(({ name }) => name)).map((name) => `two workspaces are called ${name}`),
    ...findDuplicates(workspaces.flatMap(({ token }) => token ?? [])).map(
      (token) => `two workspaces have the token ${token}`,
    ),
    ...workspaces.flatMap((workspace) => findWorkspaceProblems(workspace, appNames)),
  ];
}

function findWorkspaceProblems(
  { name, people, channels, groups }: WorkspaceDeclaration,
  appNames: readonly string[],
): string[] {
  const known = new Set(people.map((person) => person.name));
  const apps = new Set([everyApp, ...appNames]);
  const unknown = (what: string, members: readonly string[], areAppsAllowed: boolean) =>
    members
      .filter((member) => !known.has(member) && !(areAppsAllowed && apps.has(member)))
      .map((member) => `${what} of ${name} has the member ${member}, who is not among its people`);
  return [
    ...findDuplicates(people.map((person) => person.name)).map(
      (person) => `two people of ${name} are called ${person}`,
    ),
    ...findDuplicates(channels.map((channel) => channel.name)).map(
      (channel) => `two channels of ${name} are called ${channel}`,
    ),
    ...findDuplicates(groups.map(({ handle }) => handle)).map(
      (handle) => `two groups of ${name} have the handle ${handle}`,
    ),
    ...[...apps]
      .filter((app) => known.has(app))
      .map(
        (app) =>
          `a person of ${name} is called ${app}, which stands for ${app === everyApp ? 'all apps' : 'an app'}`,
      ),
    ...channels.flatMap((channel) => unknown(`the channel ${channel.name}`, channel.members ?? [], true)),
    ...groups.flatMap(({ handle, members }) => unknown(`the group ${handle}`, members, false)),
  ];
}

function findDuplicates(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

function toSeed(
  { name, domain, token, people, channels, groups }: WorkspaceDeclaration,
  appNames: readonly string[],
): WorkspaceSeed {
  const teamId = createSlackId('T', name);
  const id = (prefix: string, own: string) => createSlackId(prefix, name, own);
  const bot = { id: id('B', 'bot'), userId: id('U', 'the app itself') };
  const personIds = new Map(people.map((person) => [person.name, id('U', person.name)]));
  const memberId = (member: string) => personIds.get(member) ?? bot.userId;
  const everyone = [...people.map((person) => person.name), everyApp];
  const toMembers = (members: readonly string[]) => ({
    members: members.filter((member) => !appNames.includes(member)).map(memberId),
    ...(!members.includes(everyApp) && { apps: appNames.filter((app) => members.includes(app)) }),
  });
  const general = channels.find((channel) => channel.name === 'general') ?? channels[0];
  return {
    team: {
      id: teamId,
      name,
      domain: domain ?? (name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'team'),
    },
    token: token ?? createBotToken(name),
    bot,
    people: people.map(
      (person): Person => ({
        id: memberId(person.name),
        teamId,
        name: person.name,
        realName: person.real_name ?? person.name,
        role: person.role,
        tz: person.tz,
        ...(person.email !== undefined && { email: person.email }),
      }),
    ),
    channels: channels.map((channel) => ({
      id: id('C', channel.name),
      name: channel.name,
      ...toMembers(channel.members ?? everyone),
      isGeneral: channel === general && !channel.private,
      isPrivate: channel.private,
      topic: channel.topic,
      purpose: channel.purpose,
    })),
    groups: groups.map((group) => ({
      id: id('S', group.handle),
      handle: group.handle,
      name: group.name ?? group.handle,
      users: group.members.map(memberId),
    })),
  };
}
