import {
  isPublicByDefault,
  requiredRight,
  requiresConfirmation,
} from '../src/operations/define/inspect-operation.ts';
import type { Catalogue, Operation, OperationGroup } from '../src/operations/define/operation.ts';
import { formatUsage } from '../src/operations/grammar/usage.ts';

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
  return [`## ${heading}`, '', ...operations.flatMap(renderOperation)];
}

function renderOperation(operation: Operation): string[] {
  const answer = isPublicByDefault(operation) ? ' Answers in the channel.' : '';
  return [
    `### \`${formatUsage(operation)}\``,
    `${operation.summary}. ${describeRight(operation)}${answer}`,
    '',
  ];
}

function describeRight(operation: Operation): string {
  const right = requiredRight(operation);
  if (right === null) return 'Every member can do it.';
  return `Needs *${right}*${requiresConfirmation(operation) ? ', and asks for confirmation' : ''}.`;
}
