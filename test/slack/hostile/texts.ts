import fc from 'fast-check';
import { allOperations } from '../../../src/operations/all.ts';
import { asksFirst } from '../../../src/operations/operation.ts';

const operations = allOperations().groups.flatMap((group) => group.operations);

/** Names that a person cannot have meant to harm by, and others that somebody may have chosen to harm with. */
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

/** The name of an operation, as it is or with something wrong in it. */
const beginning = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...operations.map(({ name }) => name)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('rebot', 'snapshto create', 'LIST', 'lb', 'vlan', 'delete', 'reboot all', ''),
  },
  { weight: 1, arbitrary: word },
);

/** Typed texts: operations with hostile names, and whatever else. */
export const typedText: fc.Arbitrary<string> = fc
  .tuple(beginning, fc.array(word, { maxLength: 5 }), fc.constantFrom(' ', '  ', '\t', '\n', '\u00A0'))
  .map(([name, words, space]) => [name, ...words].join(space));

/** Names of what runs at once because it only adds something, word by word. */
const addingNames = operations
  .filter((operation): boolean => operation.kind === 'change' && !asksFirst(operation))
  .map(({ name }) => name.split(' '));

/** Tells whether a text begins with an operation that may change something without asking first. */
export function mayChange(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/\P{L}/gu, ''))
    .filter((word) => word !== '');
  return addingNames.some((name) => name.every((part, index) => words[index] === part));
}
