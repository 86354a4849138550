import type { Argument } from '../src/operations/argument.ts';
import type { Catalogue, Group } from '../src/operations/catalogue.ts';
import {
  effectOf,
  endpointsOf,
  isForChannel,
  type Operation,
  permissionsOf,
} from '../src/operations/operation.ts';
import { usageOf } from '../src/operations/usage.ts';

const effects = {
  read: 'Reads.',
  change: 'Changes something, as soon as it is asked for.',
  disturb: 'May interrupt something: asks first.',
  destroy: 'May lose something: asks first.',
} as const;

/** Writes the reference of all operations, as Markdown. */
export function operationsPage({ groups }: Catalogue): string {
  return [
    '# Operations',
    '',
    'Everything that can be asked for, generated from the catalogue by `npm run docs`. Each is typed as `/vps …` or as',
    '`@Rackhand …` (in threads too), or asked for by a form: leave values out, or use the shortcut **Run a VPS operation**.',
    'Every answer can have `--public` (for the channel) or `--private` (for you alone).',
    '',
    ...groups.flatMap(writeGroup),
  ].join('\n');
}

function writeGroup({ heading, operations }: Group): string[] {
  return [`## ${heading}`, '', ...operations.flatMap(writeOperation)];
}

function writeOperation(operation: Operation): string[] {
  const permissions = permissionsOf(operation).map((permission) => `\`${permission}\``);
  const calls = endpointsOf(operation).map(({ method, path }) => `\`${method} ${path}\``);
  const audience = isForChannel(operation) ? ' Answers in the channel.' : '';
  return [
    `### \`${usageOf(operation)}\``,
    '',
    `${operation.summary}. ${effectWords(operation)}${audience}`,
    '',
    ...Object.values(operation.arguments).map(writeArgument),
    ...(calls.length > 0 ? [`- Calls ${calls.join(', ')}`] : []),
    ...(permissions.length > 0 ? [`- Needs ${permissions.join(', ')}`] : []),
    '',
  ];
}

function effectWords(operation: Operation): string {
  if (operation.kind !== 'own') return effects[effectOf(operation)];
  const { right } = operation;
  if (right === 'look') return 'Needs the right *look*.';
  return `Changes what Rackhand itself keeps${right === null ? '' : `, and needs the right *${right}*`}.`;
}

function writeArgument({ label, hint, example, flag, required }: Argument): string {
  const name = flag === undefined ? label : `\`--${flag}\`: ${label}`;
  const about = [hint, `For example \`${example}\`.`].filter(Boolean).join(' ');
  return `- ${name}${required ? '' : ' (optional)'}. ${about}`;
}
