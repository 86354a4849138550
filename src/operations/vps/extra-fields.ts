import { z } from 'zod';
import { formatList } from '../../format-list.ts';
import { isSecretFieldName } from '../../hosting/secret-detection.ts';
import {
  type Argument,
  type RowSuggestions,
  rowsArgument,
  textArgument,
} from '../define/arguments/argument.ts';

/** A body field that the service requires but Rackhand doesn't know. */
export interface ExtraField {
  readonly name: string;
  readonly value: string;
}

const maxFields = 10;
const maxNameChars = 60;
const maxValueChars = 500;

/** Creates an argument for further body fields. `ownFields` have their own arguments. */
export function extraFieldsArgument(
  ownFields: readonly [string, ...string[]],
  suggestions: RowSuggestions,
): Argument<readonly ExtraField[]> {
  const name = z
    .string({ error: 'Give the name of the field' })
    .trim()
    .regex(/^(?!__proto__$)[\w.-]+$/, { error: 'Use letters, digits, _, . and -' })
    .max(maxNameChars, { error: `Use at most ${maxNameChars} characters` })
    .refine((given) => !ownFields.includes(given.toLowerCase()), {
      error: `Use ${formatList(
        ownFields.map((field) => `--${field}`),
        'and',
      )} for these fields`,
    })
    .refine((given) => !isSecretFieldName(given), {
      error: "Rackhand stores all input, so it can't accept secrets. Set this one at the hosting service",
    });
  const value = z
    .string({ error: 'Give the value of the field' })
    .trim()
    .max(maxValueChars, { error: `Use at most ${maxValueChars} characters` });
  return rowsArgument({
    label: 'Field',
    hint: 'Another field that the service asks for. Numbers, true and false keep their type; everything else is sent as text. To send a number as text, quote it twice: NAME=\'"12"\'.',
    example: 'hostname=web-01',
    flag: 'field',
    valueName: 'NAME=VALUE',
    min: 0,
    max: maxFields,
    parseWord: parseField,
    suggestions,
    fields: {
      name: textArgument({ label: 'Field name', example: 'hostname' }, name),
      value: textArgument({ label: 'Value', example: 'web-01' }, value),
    },
  });
}

function parseField(word: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** Returns the fields as part of a body. Values in JSON notation are sent as JSON, others as text. */
export function toBodyFields(fields: readonly ExtraField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, parseValue(value)]));
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Formats the fields as part of a title: `, hostname=web-01`. */
export function formatExtraFields(fields: readonly ExtraField[]): string {
  return fields.map(({ name, value }) => `, ${name}=${value}`).join('');
}
