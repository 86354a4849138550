import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { Input } from '../../../operations/define/arguments/input.ts';
import type { ChangeOperation } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import type { DisplayNames } from '../../../operations/define/target-state.ts';

export interface TextFact extends Fact {
  readonly value: string;
}

/**
 * Lists the input that a change's title doesn't name, such as a load balancer's backends, so approvers see
 * everything they approve. Rows are always listed, because long titles are truncated.
 */
export function listUntitledInput(
  operation: ChangeOperation,
  input: Input,
  displayNames: DisplayNames = {},
): readonly TextFact[] {
  const single = operation.batchOf ?? operation;
  const titled = findTitledArguments(single, input);
  return Object.entries(single.arguments).flatMap(([name, argument]) =>
    titled.has(name) && argument.control.kind !== 'rows'
      ? []
      : formatArgument(argument, input[name], name, displayNames).map((value) => ({
          label: argument.label,
          value,
        })),
  );
}

/**
 * Returns the names of the arguments used in a title. Comparing texts isn't enough, because a VPS label can
 * contain any word.
 */
function findTitledArguments(operation: ChangeOperation, input: Input): ReadonlySet<string> {
  const read = new Set<string>();
  const recorder = new Proxy(input, {
    get(target, name) {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
  operation.title(recorder);
  return read;
}

/** Formats an argument's value, as one text per row if the argument has rows. */
function formatArgument(
  { control }: Argument,
  value: unknown,
  path: string,
  displayNames: DisplayNames,
): readonly string[] {
  if (value === undefined || value === null || value === '' || value === false) return [];
  if (value === true) return ['yes'];
  if (control.kind !== 'rows' || !Array.isArray(value)) return [displayNames[path] ?? String(value)];
  return value.map((row: Input, index) =>
    Object.entries(control.fields)
      .flatMap(([name, field]) => {
        const texts = formatArgument(field, row[name], `${path}.${index}.${name}`, displayNames);
        return texts.map((text) => `${field.label}: ${text}`);
      })
      .join(', '),
  );
}
