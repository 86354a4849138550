import fc from 'fast-check';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import type { Argument } from '../../../src/operations/define/arguments/argument.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';

/** All operations of the app, with those that act on its own data. */
export const fullCatalogue = await loadFullCatalogue();
export const allOperations = fullCatalogue.groups.flatMap((group) => group.operations);

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
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);

/** The name of an operation, either correct or with an error. */
const operationName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...allOperations.map(({ name }) => name)) },
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

/** A value that mentions people and breaks markup. */
export const pingingValue = '<!channel> <@U0BOB> &lt;!here&gt; *_~`';

/** Also values that hide, are very long, or are names of an object's own fields. */
export const hostileValues = [
  pingingValue,
  `\u202E\u200B @everyone ${'`'.repeat(3)} ${'x'.repeat(600)}`,
  '__proto__',
];

/** The words that stand for the arguments of an operation whose words form a sentence. */
const sentences: Readonly<Record<string, string>> = {
  'watch add': '{vps} {measure} {is} {figure} for {lasts}',
};

/** Returns, for each argument of each operation, commands that are complete but for a hostile value. */
export function listHostileFields(
  operations: readonly Operation[],
  values: readonly string[],
): readonly string[] {
  return operations.flatMap((operation) =>
    Object.entries(operation.arguments)
      .filter(([, { control }]) => control.kind !== 'switch')
      .flatMap(([name]) => values.map((value) => writeCommand(operation, name, value))),
  );
}

function writeCommand({ name, arguments: fields }: Operation, hostile: string, value: string): string {
  const sentence = sentences[name];
  const flags = Object.entries(fields).flatMap(([field, { flag, required, shownWhen, example }]) => {
    if (flag === undefined) return [];
    if (field === hostile) return [`--${flag} ${quote(value)}`];
    return required && !shownWhen ? [`--${flag} ${quote(example)}`] : [];
  });
  const words = sentence
    ? [
        sentence.replace(/\{(\w+)\}/g, (_, field) =>
          field === hostile ? quote(value) : exampleOf(fields[field]),
        ),
      ]
    : writePositionals(Object.entries(fields), hostile, value);
  return [name, ...words, ...flags].join(' ');
}

/** Writes the positional arguments up to the last one that is needed. */
function writePositionals(
  fields: readonly (readonly [string, Argument])[],
  hostile: string,
  value: string,
): readonly string[] {
  const inPlace = fields.filter(([, { flag, shownWhen }]) => flag === undefined && !shownWhen);
  const last = inPlace.findLastIndex(([field, { required }]) => required || field === hostile);
  return inPlace.slice(0, last + 1).map(([field, { example }]) => quote(field === hostile ? value : example));
}

function exampleOf(argument: Argument | undefined): string {
  return argument?.control.kind === 'choice' && argument.example === 'over' ? '>' : (argument?.example ?? '');
}

const quote = (text: string) => `"${text}"`;
