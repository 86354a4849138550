import type { DisplayNames, NamedEntity } from '../block-kit/surface.ts';
import { appPlacesOf } from './app-places.ts';
import type { Person, WorkspaceData } from './control-api.ts';

const roleLabels: Readonly<Record<Person['role'], string>> = {
  owner: 'owner',
  member: 'member',
  guest: 'guest',
  stranger: 'other organization',
  deactivated: 'deactivated',
  bot: 'app',
};

/** Describes a person's role in the workspace. */
export function describeRole({ role }: Person): string {
  return roleLabels[role];
}

/** Lists the people that the page can act as. */
export function listHumans({ people }: WorkspaceData): readonly Person[] {
  return people.filter(({ role }) => role !== 'bot');
}

/** Creates the display names that a person sees in a workspace. */
export function createDisplayNames(
  workspace: WorkspaceData,
  user: string,
  visit: (id: string) => void,
): DisplayNames {
  const { people, channels, groups, apps } = workspace;
  const labels = new Map([
    ...people.map(({ id, real_name: name }) => [id, name] as const),
    ...channels.map(({ id, name }) => [id, name] as const),
    ...groups.map(({ id, handle }) => [id, handle] as const),
    ['USLACKBOT', 'Slackbot'] as const,
  ]);
  const label = (id: string) => labels.get(id) ?? id;
  const named = channels.map(
    ({ id, name, members }): NamedEntity => ({ id, label: `#${name}`, hint: `${members.length} members` }),
  );
  const isWithBot = (id: string) => channels.some((channel) => channel.id === id && channel.has_app);
  const isShared = (id: string) => channels.some((channel) => channel.id === id && channel.is_shared);
  return {
    user: label,
    channel: label,
    group: label,
    people: people.map((person) => ({ id: person.id, label: person.real_name, hint: describeRole(person) })),
    channels: named,
    conversations: [
      ...named.map((channel) => ({
        ...channel,
        kind: 'public' as const,
        isShared: isShared(channel.id),
        isWithBot: isWithBot(channel.id),
      })),
      ...apps.map((app) => ({
        id: appPlacesOf(app, user).channel,
        label: app.name,
        hint: 'direct messages',
        kind: 'im' as const,
        isWithBot: true,
      })),
    ],
    selfIds: new Set([user, ...groups.filter(({ users }) => users.includes(user)).map(({ id }) => id)]),
    visit,
  };
}
