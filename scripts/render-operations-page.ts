import {
  isPublicByDefault,
  requiredRight,
  requiresConfirmation,
} from '../src/operations/define/inspect-operation.ts';
import type { Catalogue, Operation, OperationGroup } from '../src/operations/define/operation.ts';
import { listEntries, type OperationEntry } from '../src/operations/grammar/usage.ts';

/** Returns the reference of all operations as Markdown. */
export function renderOperationsPage({ groups }: Catalogue): string {
  return [
    '# Operations',
    '',
    'Type a command as `/vps …`, or as `@Rackhand …` (also in threads). Leave out the values to get a form, or use the shortcut',
    '**Run a VPS operation**. `/vps help reboot` explains the values of a command and says which permissions the API key needs.',
    '`--public` shows the result to the channel, `--private` only to you. The words in italics are [rights](rights.md).',
    '',
    'Short forms: `/vps start web-01`, `stop`, `shutdown`, `restart`, `poweron` and `poweroff` send that action. Most commands on one VPS',
    'also work on [several](several-servers.md).',
    '',
    ...groups.flatMap(renderGroup),
  ].join('\n');
}

function renderGroup({ heading, operations }: OperationGroup): string[] {
  return [`## ${heading}`, '', ...listEntries(operations).flatMap(renderEntry)];
}

function renderEntry({ usage, summary, operations }: OperationEntry): string[] {
  const answer = isPublicByDefault(operations[0]) ? ' Answers in the channel.' : '';
  const rights = [...Map.groupBy(operations, describeRight)].map(
    ([right, some]) => `${nameKinds(some, operations)}${right}`,
  );
  return [
    `### \`${usage}\``,
    `${summary}. ${rights.join(' ')}${answer}${operations.map(describeAliases).join('')}`,
    '',
  ];
}

/** Names the kinds of things that some of the operations are for, such as `report, watch: `. */
function nameKinds(some: readonly Operation[], all: readonly Operation[]): string {
  if (some.length === all.length) return '';
  return `${some.map(({ name }) => `\`${name.split(' ', 1)[0]}\``).join(', ')}: `;
}

function describeAliases({ aliases = {} }: Operation): string {
  const names = Object.keys(aliases).map((name) => `\`${name}\``);
  return names.length === 0 ? '' : ` Also: ${names.join(', ')}.`;
}

function describeRight(operation: Operation): string {
  const right = requiredRight(operation);
  if (right === null) return 'Every member can do it.';
  return `Needs *${right}*${requiresConfirmation(operation) ? ', and asks for confirmation' : ''}.`;
}
