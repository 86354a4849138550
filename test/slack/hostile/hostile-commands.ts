import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import type { Argument } from '../../../src/operations/define/arguments/argument.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';

/** All operations of the app, with those that act on its own data. */
export const fullCatalogue = await loadFullCatalogue();
export const allOperations = fullCatalogue.groups.flatMap((group) => group.operations);

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
