import { parseArgs } from 'node:util';
import { join, split } from 'shellwords';
import type { Argument } from './argument.ts';
import { type Catalogue, mostNameWords } from './catalogue.ts';
import { nearestName } from './nearest-name.ts';
import { isForChannel, type Operation } from './operation.ts';
import type { RawInput, RawValue } from './outcome.ts';

/** What typed text stands for. */
export type Parsed =
  | {
      readonly kind: 'run';
      readonly operation: Operation;
      readonly raw: RawInput;
      readonly isPublic: boolean;
    }
  | {
      readonly kind: 'unknown';
      readonly typed: string;
      /** The operation that was probably meant, and the text with its name put right. */
      readonly suggestion?: { readonly name: string; readonly text: string };
    }
  | {
      readonly kind: 'malformed';
      readonly message: string;
      readonly operation?: Operation;
      readonly raw?: RawInput;
    };

/** Longest text that is looked at; Slack itself delivers more. */
const mostTypedChars = 3_000;

/** Takes typed text, without the command itself, apart. Never throws; nothing typed is help. */
export function parseCommand(text: string, catalogue: Catalogue): Parsed {
  if (text.length > mostTypedChars) {
    return {
      kind: 'malformed',
      message: `That is too long: a command has at most ${mostTypedChars} characters.`,
    };
  }
  const words = splitWords(text);
  if (!words) return { kind: 'malformed', message: 'A quotation mark is opened and not closed.' };
  const found = catalogue.match(words.length === 0 ? ['help'] : words);
  if (!found) return familyHelp(words, catalogue) ?? unknown(words, catalogue);
  return parseArguments(found.operation, words.slice(found.nameWords));
}

/** The word that a family begins with, alone, asks what there is in it. */
function familyHelp([first = '', ...rest]: readonly string[], catalogue: Catalogue): Parsed | undefined {
  const help = catalogue.find('help');
  if (!help || rest.length > 0 || !beginsNames(first, catalogue)) return undefined;
  return { kind: 'run', operation: help, raw: { topic: first.toLowerCase() }, isPublic: false };
}

function unknown(words: readonly string[], catalogue: Catalogue): Parsed {
  const suggestion = catalogue.suggest(words);
  if (!suggestion) return { kind: 'unknown', typed: typedName(words, catalogue) };
  const rest = words.slice(suggestion.words);
  const typed = words.slice(0, suggestion.words).join(' ');
  return {
    kind: 'unknown',
    typed,
    suggestion: { name: suggestion.name, text: [suggestion.name, join(rest)].join(' ').trim() },
  };
}

/** Takes from the words what was meant for a name: the second only where the first begins some. */
function typedName(words: readonly string[], catalogue: Catalogue): string {
  const [first = ''] = words;
  return words.slice(0, beginsNames(first, catalogue) ? mostNameWords : 1).join(' ');
}

function beginsNames(word: string, { groups }: Catalogue): boolean {
  return groups.some(({ operations }) =>
    operations.some(({ name }) => name.startsWith(`${word.toLowerCase()} `)),
  );
}

function splitWords(text: string): string[] | undefined {
  try {
    return split(text);
  } catch {
    return undefined;
  }
}

function parseArguments(operation: Operation, words: readonly string[]): Parsed {
  const entries = Object.entries(operation.arguments);
  const flags = entries.filter(([, argument]) => argument.flag !== undefined);
  const places = entries.filter(([, argument]) => argument.flag === undefined);
  const malformed = (message: string): Parsed => ({ kind: 'malformed', message, operation });

  const options = {
    public: { type: 'boolean' as const, multiple: false },
    private: { type: 'boolean' as const, multiple: false },
    ...Object.fromEntries(flags.map(([, argument]) => [argument.flag, optionOf(argument)])),
  };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    return malformed(flagProblem(error, words, Object.keys(options)));
  }

  const { public: toAll, private: toAsker, ...given } = parsed.values;
  if (toAll === true && toAsker === true) return malformed('An answer is --public or --private, not both.');
  const { sentence } = operation;
  const typed = sentence ? [] : parsed.positionals;
  if (places.at(-1)?.[1].takesRest) typed.push(typed.splice(places.length - 1).join(' '));
  const raw: Record<string, RawValue> = { ...sentence?.read(parsed.positionals.join(' ')) };
  places.forEach(([name], index) => {
    const word = typed[index];
    if (word) raw[name] = word;
  });
  for (const [name, { flag }] of flags) {
    const value = flag === undefined ? undefined : given[flag];
    if (isRawValue(value)) raw[name] = value;
  }
  const extra = typed[places.length];
  if (extra !== undefined) {
    const quotes = places.length > 0 ? ': a value with spaces goes in quotes' : '';
    return { kind: 'malformed', message: `"${extra}" is one word too many${quotes}.`, operation, raw };
  }
  const isPublic = toAll === true || (isForChannel(operation) && toAsker !== true);
  return { kind: 'run', operation, raw, isPublic };
}

function optionOf({ control }: Argument) {
  return {
    type: control.kind === 'switch' ? ('boolean' as const) : ('string' as const),
    multiple: control.kind === 'rows',
  };
}

function isRawValue(value: unknown): value is RawValue {
  return typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value);
}

/** Says in our words what node's parser found; it decides by its code. */
function flagProblem(error: unknown, words: readonly string[], known: readonly string[]): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const flagsTyped = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/s, ''));
  const stranger = flagsTyped.find((flag) => !known.includes(flag.replace(/^--/, '')));
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && stranger !== undefined) {
    const near = nearestName(stranger.replace(/^-+/, ''), known);
    return `There is no option ${stranger} here${near ? `; the nearest is --${near}` : ''}.`;
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return `An option lacks its value, or has one that it does not take: ${flagsTyped.join(', ')}.`;
  }
  return 'These options were not understood.';
}
