import { z } from 'zod';
import { formatList } from '../../../format-list.ts';
import { tcpPort } from '../../../hosting/endpoints/fields.ts';
import type { Read } from '../read.ts';
import type { ChoiceSource } from './choice-source.ts';
import type { RawInput, RawRow } from './raw-input.ts';

/** How an argument is shown in a form. */
export type Control =
  /** Something that exists at the service: a VPS, a snapshot, a domain. */
  | { readonly kind: 'remote'; readonly source: ChoiceSource }
  /** Multi-line text, for input that is wider than a phone. */
  | { readonly kind: 'text'; readonly isMultiline?: true }
  /** Names of VPS and patterns of VPS names, separated by spaces. The run resolves other names. */
  | { readonly kind: 'vpsWords'; readonly source: ChoiceSource }
  | { readonly kind: 'channel' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | {
      readonly kind: 'choice';
      readonly options: readonly string[];
      /** Labels for the options in a form. An option without a label is shown as it is. */
      readonly labels?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'switch' }
  | {
      readonly kind: 'rows';
      readonly fields: Arguments;
      readonly min: number;
      readonly max: number;
      /** Parses a row that was typed as one word. Returns undefined if the word isn't a row. */
      readonly parseWord: (word: string) => RawRow | undefined;
      /** Suggests rows that the service requires. A form adds them. */
      readonly suggestions?: RowSuggestions;
    };

/** Suggests rows that depend on the value of another argument. */
export interface RowSuggestions {
  readonly dependsOn: string;
  load(read: Read, given: RawInput): Promise<readonly RawRow[]>;
}

/**
 * An operation's argument, from which the command grammar, form field and help are derived. Its schema parses
 * raw input (text, or `true` for a switch) to the value.
 */
export interface Argument<T = unknown> {
  readonly control: Control;
  /** Sentence case, at most 40 characters. */
  readonly label: string;
  readonly hint?: string;
  /** The hint in a form, if it differs from the hint for typed commands. An empty string shows no hint. */
  readonly fieldHint?: string;
  readonly example: string;
  /** Typed as `--flag VALUE`. An argument without a flag is positional. */
  readonly flag?: string;
  /**
   * The flag of the argument that takes a person or user group typed after this one's value: `--escalate 15m
   * @lead`.
   */
  readonly recipientFlag?: string;
  /** The name of the value in help. Defaults to the label. */
  readonly valueName?: string;
  /** Takes all remaining words, which then need no quotes. */
  readonly takesRemainingWords?: boolean;
  readonly required: boolean;
  /** The initial value in a form. */
  readonly initial?: string;
  /**
   * Set if the argument can't be typed and is only set by buttons. A form opened by such a button keeps
   * the value without showing it.
   */
  readonly isSetByButtons?: true;
  /** Set if a form shows this argument only while another argument has one of these values. */
  readonly shownWhen?: { readonly argument: string; readonly choices: readonly string[] };
  readonly schema: z.ZodType<T>;
}

export type Arguments = Readonly<Record<string, Argument>>;

/** The parsed values of an operation's arguments, by name. */
export type InputOf<A extends Arguments> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

export type ArgumentTexts = Pick<
  Argument,
  'label' | 'hint' | 'fieldHint' | 'example' | 'flag' | 'valueName' | 'takesRemainingWords'
>;

/** Maximum length of a name or ID. The API document states no limit. */
const maxRemoteChars = 500;

/** Creates an argument for something that exists at the service, chosen by ID or display name. */
export function remoteArgument({
  source,
  ...texts
}: ArgumentTexts & { readonly source: ChoiceSource }): Argument<string> {
  const error = `Choose ${source.noun}`;
  const schema = z.string({ error }).trim().min(1, { error }).max(maxRemoteChars, { error });
  return { ...texts, control: { kind: 'remote', source }, required: true, schema };
}

/**
 * Creates a channel argument. The value is the channel's ID, or `''` if none was given. Also accepts
 * `#C0OPS`, which is how Slack delivers typed channels.
 */
export function channelArgument(texts: ArgumentTexts): Argument<string> {
  const id = z
    .string()
    .trim()
    .regex(/^(#?[CGD][A-Z0-9]{2,})?$/, { error: `${texts.label}: give a channel, such as ${texts.example}` })
    .transform((text) => text.replace(/^#/, ''));
  return {
    ...texts,
    control: { kind: 'channel' },
    required: false,
    schema: z.preprocess((value) => value ?? '', id),
  };
}

export function textArgument(
  { initial, ...texts }: ArgumentTexts & { readonly initial?: string },
  schema: z.ZodType<string>,
): Argument<string> {
  const optional = initial !== undefined;
  return {
    ...texts,
    control: { kind: 'text' },
    required: !optional,
    ...(optional && { initial }),
    schema: optional ? z.preprocess((value) => value ?? initial, schema) : schema,
  };
}

/** Creates an argument for a whole number from `min` to `max`. It is optional if it has an `initial` value. */
export function integerArgument({
  min,
  max,
  initial,
  ...texts
}: ArgumentTexts & {
  readonly min: number;
  readonly max: number;
  readonly initial?: number;
}): Argument<number> {
  const error = `${texts.label} must be a whole number from ${min} to ${max}`;
  const digits = z
    .string({ error })
    .trim()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
  const optional = initial !== undefined;
  return {
    ...texts,
    control: { kind: 'integer', min, max },
    required: !optional,
    ...(optional && { initial: String(initial) }),
    schema: optional ? z.preprocess((value) => value ?? String(initial), digits) : digits,
  };
}

/** Creates an argument for a TCP port, 1 to 65535. */
export function portArgument(texts: ArgumentTexts): Argument<number> {
  return integerArgument({ ...texts, min: tcpPort.minValue ?? 1, max: tcpPort.maxValue ?? 65535 });
}

/**
 * Creates an argument with several options, the first of which is the default. Forms offer only these
 * options, but commands accept any single word, because the API document doesn't say that the list is
 * complete.
 */
export function choiceArgument({
  options,
  ...texts
}: ArgumentTexts & { readonly options: readonly [string, ...string[]] }): Argument<string> {
  const [initial] = options;
  const word = z
    .string()
    .trim()
    .regex(/^[\w.-]{1,64}$/, {
      error: `${texts.label} must be one word, such as ${formatList(options, 'or')}`,
    });
  return {
    ...texts,
    control: { kind: 'choice', options },
    required: false,
    initial,
    schema: z.preprocess((value) => value ?? initial, word),
  };
}

/** Creates a switch that is off by default. */
export function switchArgument(texts: ArgumentTexts & { readonly flag: string }): Argument<boolean> {
  return { ...texts, ...offSwitch };
}

const offSwitch = {
  control: { kind: 'switch' },
  required: false,
  schema: z.preprocess((value) => value ?? false, z.boolean()),
} as const;

/** Creates a switch that is off by default and that only buttons set. */
export function buttonSwitch(label: string): Argument<boolean> {
  return { label, example: 'yes', ...offSwitch, isSetByButtons: true };
}

/**
 * Creates an argument for one or more rows of fields. In a command, a row is one word that
 * `parseWord` parses. In a form, it is a group of fields.
 */
export function rowsArgument<A extends Arguments>({
  fields,
  min = 1,
  max,
  parseWord,
  suggestions,
  ...texts
}: ArgumentTexts & {
  readonly flag: string;
  readonly fields: A;
  readonly suggestions?: RowSuggestions;
  /** Minimum number of rows, 1 by default. With 0, the argument is optional. */
  readonly min?: 0 | 1;
  readonly max: number;
  /** Parses a row that was typed as one word. Returns undefined if the word isn't a row. */
  readonly parseWord: (word: string) => RawRow | undefined;
}): Argument<readonly InputOf<A>[]> {
  const row = z.preprocess(
    (given) => (typeof given === 'string' ? parseWord(given) : given),
    buildSchema(fields, `${texts.label} looks like ${texts.example}`),
  );
  return {
    ...texts,
    control: { kind: 'rows', fields, min, max, parseWord, ...(suggestions && { suggestions }) },
    required: min > 0,
    schema: z.preprocess(
      (given) => (min === 0 ? (given ?? []) : given),
      z
        .array(row, { error: `${texts.label} is missing` })
        .min(min, { error: `${texts.label} is missing` })
        .max(max, { error: `${texts.label}: give at most ${max}` }),
    ),
  };
}

/**
 * Returns the schema for an operation's input. Created once per set of arguments and then cached, because
 * zod compiles a schema on first use.
 */
export function inputSchema<A extends Arguments>(fields: A): z.ZodType<InputOf<A>> {
  const schema = builtSchemas.get(fields) ?? buildSchema(fields);
  builtSchemas.set(fields, schema);
  return schema as z.ZodType<InputOf<A>>;
}

const builtSchemas = new WeakMap<Arguments, z.ZodType>();

function buildSchema<A extends Arguments>(fields: A, error?: string): z.ZodType<InputOf<A>> {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, argument]) => [name, argument.schema]));
  // zod can't infer the shape from entries.
  return z.object(shape, error) as unknown as z.ZodType<InputOf<A>>;
}
