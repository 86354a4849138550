import type { Named, Names } from './block-kit/surface.ts';
import type { Person, WorkspaceFacts } from './wire.ts';

const roles: Readonly<Record<Person['role'], string>> = {
  owner: 'owner',
  member: 'member',
  guest: 'guest',
  stranger: 'other organisation',
  bot: 'app',
};

/** Says who somebody is to the workspace. */
export function roleOf({ role }: Person): string {
  return roles[role];
}

/** The people whom the page can be used as. */
export function humansOf({ people }: WorkspaceFacts): readonly Person[] {
  return people.filter(({ role }) => role !== 'bot');
}

/** Gives the names of a workspace as a person knows them. */
export function createNames(workspace: WorkspaceFacts, user: string, visit: (id: string) => void): Names {
  const { people, channels, groups, app } = workspace;
  const labels = new Map([
    ...people.map(({ id, real_name: name }) => [id, name] as const),
    ...channels.map(({ id, name }) => [id, name] as const),
    ...groups.map(({ id, handle }) => [id, handle] as const),
    ['USLACKBOT', 'Slackbot'] as const,
  ]);
  const label = (id: string) => labels.get(id) ?? id;
  const named = channels.map(
    ({ id, name, members }): Named => ({ id, label: `#${name}`, hint: `${members.length} members` }),
  );
  const isWithBot = (id: string) => channels.some((channel) => channel.id === id && channel.has_app);
  const isShared = (id: string) => channels.some((channel) => channel.id === id && channel.is_shared);
  return {
    user: label,
    channel: label,
    group: label,
    people: people.map((person) => ({ id: person.id, label: person.real_name, hint: roleOf(person) })),
    channels: named,
    conversations: [
      ...named.map((channel) => ({
        ...channel,
        kind: 'public' as const,
        isShared: isShared(channel.id),
        isWithBot: isWithBot(channel.id),
      })),
      {
        id: directMessagesOf(user),
        label: app.name,
        hint: 'direct messages',
        kind: 'im' as const,
        isWithBot: true,
      },
    ],
    own: new Set([user, ...groups.filter(({ users }) => users.includes(user)).map(({ id }) => id)]),
    visit,
  };
}

/** The id of a person's direct messages with the app. */
export function directMessagesOf(user: string): string {
  return `D${user.slice(1)}`;
}
