import fc from 'fast-check';
import { requiresConfirmation } from '../../../src/operations/define/inspect-operation.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';

const operations = hostingOperations().groups.flatMap((group) => group.operations);

/** Harmless names, and names that someone could choose to do harm. */
const names = fc.constantFrom(
  ...'VPS-10001 vps-10005 VPS-1 VPS-99999 weekly shop.acme.example 45020 staging 10.40.0.0/24 debian-13'.split(
    ' ',
  ),
  ...[
    '<!channel>',
    '<@U0BOB>',
    '<#C0OPS|ops>',
    '<!subteam^S1>',
    '<http://evil.example|VPS-10001>',
    '@everyone',
    '&lt;!here&gt;',
  ],
  ...[
    '*_~`',
    '“VPS-10001”',
    '—os',
    '--',
    '---',
    '--os',
    '--public',
    '--backend',
    '=',
    '""',
    '"',
    "'",
    '\\',
    '\u202E',
    '\u200B',
    '🚀',
  ],
  'x'.repeat(3_000),
  '<!channel> '.repeat(200),
);

const word = fc.oneof(
  { weight: 3, arbitrary: names },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);

/** The name of an operation, either correct or with an error. */
const operationName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...operations.map(({ name }) => name)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('rebot', 'snapshto create', 'LIST', 'lb', 'vlan', 'delete', 'reboot all', ''),
  },
  { weight: 1, arbitrary: word },
);

/** Typed commands: operations with hostile names, and random text. */
export const hostileCommand: fc.Arbitrary<string> = fc
  .tuple(operationName, fc.array(word, { maxLength: 5 }), fc.constantFrom(' ', '  ', '\t', '\n', '\u00A0'))
  .map(([name, words, space]) => [name, ...words].join(space));

/**
 * The words of the names of operations that run without a confirmation, because they only add
 * something.
 */
const addingNames = operations
  .filter((operation): boolean => operation.kind === 'change' && !requiresConfirmation(operation))
  .map(({ name }) => name.split(' '));

/**
 * Returns whether text begins with an operation that can change something without a confirmation.
 */
export function mayChange(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/\P{L}/gu, ''))
    .filter((word) => word !== '');
  return addingNames.some((name) => name.every((part, index) => words[index] === part));
}
