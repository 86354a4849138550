import type { Command, WorkspaceData } from '../state/control-api.ts';
import { describeRole } from '../state/display-names.ts';

/** A completion that the composer offers. */
export interface Suggestion {
  readonly kind: 'command' | 'person' | 'group' | 'channel';
  /** The text to insert. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
}

/** The text before the cursor that can be completed. */
export interface Autocompletion {
  /** The start of the text to replace, which ends at the cursor. */
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
}

const maxSuggestions = 8;

/** Slack's own commands that the sandbox supports. */
const builtInCommands: readonly Command[] = [
  { command: '/invite', description: 'Add someone to this channel', usage_hint: '@someone' },
  { command: '/remove', description: 'Remove someone from this channel', usage_hint: '@someone' },
  { command: '/archive', description: 'Archive this channel' },
];

/** Lists the app's commands, and after them Slack's own. */
export function listCommands({ commands }: WorkspaceData): readonly Command[] {
  return [...commands, ...builtInCommands];
}

/**
 * Returns the completions for the text before the cursor. `/` is completed at the start, `@` and
 * `#` before a word.
 */
export function autocomplete(typed: string, workspace: WorkspaceData): Autocompletion | undefined {
  const command = /^\/\S*$/.exec(typed);
  const name = /(?:^|[\s(])([@#][\p{L}\p{N}._-]*)$/u.exec(typed)?.[1];
  if (command) return matchSuggestions(typed, typed, listCommandSuggestions(workspace));
  if (name)
    return matchSuggestions(
      typed,
      name,
      name.startsWith('@') ? listNameSuggestions(workspace) : listChannelSuggestions(workspace),
    );
  return undefined;
}

/** Returns the command whose name was typed completely, to show its usage hint. */
export function findTypedCommand(typed: string, workspace: WorkspaceData): Command | undefined {
  const name = /^(\/\S+)\s/.exec(typed)?.[1];
  return listCommands(workspace).find(({ command }) => command === name);
}

function matchSuggestions(
  typed: string,
  part: string,
  all: readonly Suggestion[],
): Autocompletion | undefined {
  const wanted = part.toLowerCase();
  const isWhole = all.some(({ text }) => text === wanted);
  const begins = ({ text, label }: Suggestion) =>
    text.toLowerCase().startsWith(wanted) || label.toLowerCase().startsWith(wanted.slice(1));
  const contains = ({ text, label }: Suggestion) =>
    `${text} ${label}`.toLowerCase().includes(wanted.slice(1));
  const found = [
    ...all.filter(begins),
    ...all.filter((suggestion) => !begins(suggestion) && contains(suggestion)),
  ];
  const suggestions = found.slice(0, maxSuggestions);
  return isWhole || suggestions.length === 0 ? undefined : { from: typed.length - part.length, suggestions };
}

function listCommandSuggestions(workspace: WorkspaceData): Suggestion[] {
  return listCommands(workspace).map(({ command, description, usage_hint: usage }) => ({
    kind: 'command',
    text: command,
    label: usage ?? '',
    hint: description,
  }));
}

function listNameSuggestions({ people, groups }: WorkspaceData): Suggestion[] {
  const broadcasts = { here: 'everyone here now', channel: 'everyone in this channel' };
  return [
    ...people.map((person) => ({
      kind: 'person' as const,
      text: `@${person.name}`,
      label: person.real_name,
      hint: describeRole(person),
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

function listChannelSuggestions({ channels }: WorkspaceData): Suggestion[] {
  return channels.map(({ name, has_app: hasApp }) => ({
    kind: 'channel',
    text: `#${name}`,
    label: '',
    hint: hasApp ? '' : 'without the app',
  }));
}
