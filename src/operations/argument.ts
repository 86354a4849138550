import { z } from 'zod';
import { tcpPort, vpsName } from '../hosting/fields.ts';
import type { RawRow } from './outcome.ts';
import { fleet } from './sources/fleet.ts';
import type { Source } from './sources/source.ts';

/** What a form shows for an argument. */
export type Control =
  /** One of what the service has: a VPS, a snapshot of it, a domain. */
  | { readonly kind: 'remote'; readonly source: Source }
  /** Several lines high where what is written is longer than a phone is wide. */
  | { readonly kind: 'text'; readonly isLong?: true }
  /** A conversation of the workspace. */
  | { readonly kind: 'channel' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | {
      readonly kind: 'choice';
      readonly options: readonly string[];
      /** What a form shows for them, where that is more than the word itself. */
      readonly texts?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'switch' }
  | {
      readonly kind: 'rows';
      readonly fields: Arguments;
      readonly most: number;
      /** Takes a row apart that was typed as one word; `undefined` for a word that is no row. */
      readonly fromWord: (word: string) => RawRow | undefined;
    };

/**
 * One argument of an operation, declared once: the words of a command, the fields of a form and the help derive from it. Its schema
 * takes what a person gave (text, or `true` for a switch) and gives the value.
 */
export interface Argument<T = unknown> {
  readonly control: Control;
  /** Sentence case, at most 40 characters. */
  readonly label: string;
  readonly hint?: string;
  /** What its field says in place of the hint, which speaks of what is typed; empty where the field says enough. */
  readonly fieldHint?: string;
  /** What a value looks like. */
  readonly example: string;
  /** Typed as `--flag VALUE`; without it, as a word in its place. */
  readonly flag?: string;
  /** How the help names its value; its label unless given. */
  readonly written?: string;
  /** Takes all words that are left, without quotes around them. */
  readonly takesRest?: boolean;
  readonly required: boolean;
  /** What a form starts with. */
  readonly initial?: string;
  /** Beside which choices of another argument it has a meaning, where that is not all: a form shows it only then. */
  readonly meantFor?: { readonly argument: string; readonly choices: readonly string[] };
  readonly schema: z.ZodType<T>;
}

export type Arguments = Readonly<Record<string, Argument>>;

/** The values of a record of arguments. */
export type InputOf<A extends Arguments> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

type Texts = Pick<Argument, 'label' | 'hint' | 'fieldHint' | 'example' | 'flag' | 'written' | 'takesRest'>;

/** Takes a VPS by its name. */
export function vpsArgument(texts: Partial<Texts> = {}): Argument<string> {
  const schema = z.string({ error: 'Choose a VPS' }).trim().pipe(vpsName);
  return {
    label: 'VPS',
    example: 'VPS-10001',
    ...texts,
    control: { kind: 'remote', source: fleet },
    required: true,
    schema,
  };
}

/** Longest value that is taken for the name of something that the service has; the API document shows no limit. */
const mostRemoteChars = 500;

/** Takes one of what the service has, by its identifier or by what it is called. */
export function remoteArgument({ source, ...texts }: Texts & { readonly source: Source }): Argument<string> {
  const error = `Choose ${source.noun}`;
  const schema = z.string({ error }).trim().min(1, { error }).max(mostRemoteChars, { error });
  return { ...texts, control: { kind: 'remote', source }, required: true, schema };
}

/** Takes a channel of the workspace, by its id, as typed text delivers it (`#C0OPS`) and as a form does; `''` where none is given. */
export function channelArgument(texts: Texts): Argument<string> {
  const id = z
    .string()
    .trim()
    .regex(/^(#?[CGD][A-Z0-9]{2,})?$/, { error: `${texts.label}: name a channel, as in ${texts.example}` })
    .transform((text) => text.replace(/^#/, ''));
  return {
    ...texts,
    control: { kind: 'channel' },
    required: false,
    schema: z.preprocess((value) => value ?? '', id),
  };
}

/** Takes text that the schema accepts. */
export function textArgument(
  { initial, ...texts }: Texts & { readonly initial?: string },
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

/** Takes a whole number from `min` to `max`, written in digits. Optional where an `initial` value is given. */
export function integerArgument({
  min,
  max,
  initial,
  ...texts
}: Texts & { readonly min: number; readonly max: number; readonly initial?: number }): Argument<number> {
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

/** Takes a TCP port, 1 to 65535. */
export function portArgument(texts: Texts): Argument<number> {
  return integerArgument({ ...texts, min: tcpPort.minValue ?? 1, max: tcpPort.maxValue ?? 65535 });
}

/**
 * Takes one of the options, the first unless told otherwise. A form offers just these; typed, any single word passes, because the API
 * document does not say that they are all.
 */
export function choiceArgument({
  options,
  ...texts
}: Texts & { readonly options: readonly [string, ...string[]] }): Argument<string> {
  const [initial] = options;
  const word = z
    .string()
    .trim()
    .regex(/^[\w.-]{1,64}$/, { error: `${texts.label} must be one word, such as ${options.join(' or ')}` });
  return {
    ...texts,
    control: { kind: 'choice', options },
    required: false,
    initial,
    schema: z.preprocess((value) => value ?? initial, word),
  };
}

/** Takes yes or no; no unless it is given. */
export function switchArgument(texts: Texts & { readonly flag: string }): Argument<boolean> {
  return {
    ...texts,
    control: { kind: 'switch' },
    required: false,
    schema: z.preprocess((value) => value ?? false, z.boolean()),
  };
}

/**
 * Takes one or more rows of fields. In a command each is one word, which `fromWord` takes apart; in a form each is a group of fields.
 */
export function rowsArgument<A extends Arguments>({
  fields,
  most,
  fromWord,
  ...texts
}: Texts & {
  readonly flag: string;
  readonly fields: A;
  readonly most: number;
  /** Gives `undefined` for a word that is no row. */
  readonly fromWord: (word: string) => RawRow | undefined;
}): Argument<readonly InputOf<A>[]> {
  const row = z.preprocess(
    (given) => (typeof given === 'string' ? fromWord(given) : given),
    inputSchema(fields, `${texts.label} looks like ${texts.example}`),
  );
  return {
    ...texts,
    control: { kind: 'rows', fields, most, fromWord },
    required: true,
    schema: z
      .array(row, { error: `${texts.label} is missing` })
      .min(1, { error: `${texts.label} is missing` })
      .max(most, { error: `${texts.label}: at most ${most} can be given` }),
  };
}

/** Builds the schema of a whole input from its arguments. */
export function inputSchema<A extends Arguments>(fields: A, error?: string): z.ZodType<InputOf<A>> {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, argument]) => [name, argument.schema]));
  // The shape is that of the arguments, name by name; zod cannot know it of entries.
  return z.object(shape, error) as unknown as z.ZodType<InputOf<A>>;
}
