import type { Argument } from '../src/operations/define/arguments/argument.ts';
import {
  isPublicByDefault,
  listEndpoints,
  requiredPermissions,
  resolveEffect,
} from '../src/operations/define/inspect-operation.ts';
import type { Catalogue, Operation, OperationGroup } from '../src/operations/define/operation.ts';
import { formatUsage } from '../src/operations/grammar/usage.ts';

const effectDescriptions = {
  read: 'Reads.',
  change: 'Changes something, without a confirmation.',
  disrupt: 'Can interrupt something. Asks for confirmation.',
  destroy: 'Can lose something. Asks for confirmation.',
} as const;

/** Returns the reference of all operations as Markdown. */
export function renderOperationsPage({ groups }: Catalogue): string {
  return [
    '# Operations',
    '',
    'All operations, generated from the catalogue by `npm run docs`. Type one as `/vps …` or `@Rackhand …` (also in threads).',
    'For a form, leave out values or use the shortcut **Run a VPS operation**. With `--public`, the channel sees the result;',
    'with `--private`, only you.',
    '',
    ...groups.flatMap(renderGroup),
  ].join('\n');
}

function renderGroup({ heading, operations }: OperationGroup): string[] {
  return [`## ${heading}`, '', ...operations.flatMap(renderOperation)];
}

function renderOperation(operation: Operation): string[] {
  const fields = Object.values(operation.arguments).filter(
    (field) =>
      !field.isSetByButtons &&
      (field.label !== 'VPS' || field.hint !== undefined || field.flag !== undefined),
  );
  return [
    `### \`${formatUsage(operation)}\``,
    [
      `${operation.summary}.`,
      describeEffect(operation),
      ...(isPublicByDefault(operation) ? ['Answers in the channel.'] : []),
      ...describeCalls(operation),
    ].join(' '),
    ...fields.map(renderArgument),
    '',
  ];
}

function describeCalls(operation: Operation): string[] {
  const calls = listEndpoints(operation).map(({ method, path }) => `\`${method} ${path}\``);
  const permissions = requiredPermissions(operation).map((permission) => `\`${permission}\``);
  if (calls.length === 0) return [];
  return [
    `Calls ${calls.join(', ')}${permissions.length > 0 ? `, which needs ${permissions.join(', ')}` : ''}.`,
  ];
}

function describeEffect(operation: Operation): string {
  if (operation.kind !== 'local') return effectDescriptions[resolveEffect(operation)];
  const { right } = operation;
  if (right === 'view') return 'Needs the right *view*.';
  return `Changes Rackhand's own data.${right === null ? '' : ` Needs the right *${right}*.`}`;
}

function renderArgument({ label, hint, example, flag, required }: Argument): string {
  const name = flag === undefined ? label : `\`--${flag}\`: ${label}`;
  const about = [hint, `For example \`${example}\`.`].filter(Boolean).join(' ');
  return `- ${name}${required ? '' : ' (optional)'}. ${about}`;
}
