import { roleOf } from './names.ts';
import type { Command, WorkspaceFacts } from './wire.ts';

/** Something that the composer offers to write for the person. */
export interface Offer {
  readonly kind: 'command' | 'person' | 'group' | 'channel';
  /** What is written. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
}

/** What stands before the cursor, as far as it can be completed. */
export interface Completion {
  /** Where the part to replace begins; it ends at the cursor. */
  readonly from: number;
  readonly offers: readonly Offer[];
}

const mostOffers = 8;

/** Slack's own commands that the sandbox runs. */
const builtIn: readonly Command[] = [
  { command: '/invite', description: 'Add somebody to this channel', usage_hint: '@somebody' },
  { command: '/remove', description: 'Remove somebody from this channel', usage_hint: '@somebody' },
  { command: '/archive', description: 'Archive this channel' },
];

/** The commands of the app, then Slack's own. */
export function commandsOf({ commands }: WorkspaceFacts): readonly Command[] {
  return [...commands, ...builtIn];
}

/** Finds what a person may mean by what they have typed up to the cursor: `/` first of all, `@` or `#` before a word. */
export function completionOf(typed: string, workspace: WorkspaceFacts): Completion | undefined {
  const command = /^\/\S*$/.exec(typed);
  const name = /(?:^|[\s(])([@#][\p{L}\p{N}._-]*)$/u.exec(typed)?.[1];
  if (command) return complete(typed, typed, commandOffers(workspace));
  if (name)
    return complete(typed, name, name.startsWith('@') ? nameOffers(workspace) : channelOffers(workspace));
  return undefined;
}

/** Finds the command whose name is typed already, to say what it takes. */
export function commandTyped(typed: string, workspace: WorkspaceFacts): Command | undefined {
  const name = /^(\/\S+)\s/.exec(typed)?.[1];
  return commandsOf(workspace).find(({ command }) => command === name);
}

function complete(typed: string, part: string, all: readonly Offer[]): Completion | undefined {
  const wanted = part.toLowerCase();
  const isWhole = all.some(({ text }) => text === wanted);
  const begins = ({ text, label }: Offer) =>
    text.toLowerCase().startsWith(wanted) || label.toLowerCase().startsWith(wanted.slice(1));
  const contains = ({ text, label }: Offer) => `${text} ${label}`.toLowerCase().includes(wanted.slice(1));
  const found = [...all.filter(begins), ...all.filter((offer) => !begins(offer) && contains(offer))];
  const offers = found.slice(0, mostOffers);
  return isWhole || offers.length === 0 ? undefined : { from: typed.length - part.length, offers };
}

function commandOffers(workspace: WorkspaceFacts): Offer[] {
  return commandsOf(workspace).map(({ command, description, usage_hint: usage }) => ({
    kind: 'command',
    text: command,
    label: usage ?? '',
    hint: description,
  }));
}

function nameOffers({ people, groups }: WorkspaceFacts): Offer[] {
  const broadcasts = { here: 'everybody here now', channel: 'everybody in this channel' };
  return [
    ...people.map((person) => ({
      kind: 'person' as const,
      text: `@${person.name}`,
      label: person.real_name,
      hint: roleOf(person),
    })),
    ...groups.map(({ handle, name, users }) => ({
      kind: 'group' as const,
      text: `@${handle}`,
      label: name,
      hint: `${users.length} people`,
    })),
    ...Object.entries(broadcasts).map(([name, hint]) => ({
      kind: 'group' as const,
      text: `@${name}`,
      label: '',
      hint,
    })),
  ];
}

function channelOffers({ channels }: WorkspaceFacts): Offer[] {
  return channels.map(({ name, has_app: hasApp }) => ({
    kind: 'channel',
    text: `#${name}`,
    label: '',
    hint: hasApp ? '' : 'without the app',
  }));
}
