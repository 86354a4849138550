import { parseArgs } from 'node:util';
import { join, split } from 'shellwords';
import { findNearestName } from '../../nearest-name.ts';
import { joinVpsNames } from '../choices/matching/vps-reference.ts';
import type { Argument } from '../define/arguments/argument.ts';
import { isVpsControl } from '../define/arguments/input.ts';
import type { RawInput, RawValue } from '../define/arguments/raw-input.ts';
import { maxReasonChars } from '../define/arguments/reason.ts';
import { splitWords } from '../define/arguments/remote-fields.ts';
import { maxNameWords } from '../define/catalogue.ts';
import { isPublicByDefault, listGivenArguments } from '../define/inspect-operation.ts';
import type { Catalogue, Operation } from '../define/operation.ts';
import { toBatchName } from '../several/batch-operation.ts';
import {
  type CorrectedInput,
  explainTooManyNames,
  removeFillerWords,
  takeOnlyName,
} from './natural-mistakes.ts';

export type ParsedCommand =
  | {
      readonly kind: 'run';
      readonly operation: Operation;
      readonly raw: RawInput;
      readonly isPublic: boolean;
    }
  | {
      readonly kind: 'unknown';
      readonly typed: string;
      /** The closest operation's name, and the typed text with the mistyped words replaced by it. */
      readonly suggestion?: { readonly name: string; readonly text: string };
    }
  | {
      readonly kind: 'malformed';
      readonly message: string;
      readonly operation?: Operation;
      readonly raw?: RawInput;
      /** Inputs that were probably meant. */
      readonly corrections?: readonly CorrectedInput[];
    };

export interface CommandOptions {
  /** Whether everyone in the channel sees the reply to a read, unless `--private` is typed. Default: false. */
  readonly areReadsPublic?: boolean;
}

/** Maximum length of text to parse. Slack can deliver longer text. */
const maxCommandChars = 3_000;

/** Parses the text typed after the slash command. Never throws. Empty text means help. */
export function parseCommand(
  text: string,
  catalogue: Catalogue,
  { areReadsPublic = false }: CommandOptions = {},
): ParsedCommand {
  if (text.length > maxCommandChars) {
    return {
      kind: 'malformed',
      message: `Too long. A command can have at most ${maxCommandChars} characters.`,
    };
  }
  const words = splitShellWords(text);
  if (!words) return { kind: 'malformed', message: 'A quotation mark is missing.' };
  const found = catalogue.match(words.length === 0 ? ['help'] : words);
  if (!found)
    return (
      parseActionVerb(words, catalogue) ?? helpForFamily(words, catalogue) ?? unknownCommand(words, catalogue)
    );
  const { operation, nameWords, implied } = found;
  const parsed = parseArguments(operation, words.slice(nameWords), {
    catalogue,
    areReadsPublic,
    known: implied,
  });
  // `ssh st web-01 22` is a typo of `ssh set`, not the alias `ssh` with too many words.
  const isTypo =
    operation.name.startsWith(`${words.slice(0, nameWords).join(' ').toLowerCase()} `) &&
    parsed.kind === 'malformed';
  return isTypo ? unknownCommand(words, catalogue) : parsed;
}

/** Parses an action typed as a command, such as `stop web-01`. */
function parseActionVerb(
  [first = '', ...rest]: readonly string[],
  catalogue: Catalogue,
): ParsedCommand | undefined {
  const verb = findActionVerb(first, catalogue);
  if (!verb) return undefined;
  return parseArguments(verb.operation, rest, { catalogue, known: verb.known });
}

/** Returns the help for a family if only the first word of its names was typed, such as `snapshot`. */
function helpForFamily(
  [first = '', ...rest]: readonly string[],
  catalogue: Catalogue,
): ParsedCommand | undefined {
  const help = catalogue.find('help');
  if (!help || rest.length > 0 || !isFamilyName(first, catalogue)) return undefined;
  return { kind: 'run', operation: help, raw: { topic: first.toLowerCase() }, isPublic: false };
}

function unknownCommand(words: readonly string[], catalogue: Catalogue): ParsedCommand {
  const suggestion = catalogue.suggest(words);
  if (!suggestion) return { kind: 'unknown', typed: guessTypedName(words, catalogue) };
  const rest = words.slice(suggestion.wordCount);
  const typed = words.slice(0, suggestion.wordCount).join(' ');
  return {
    kind: 'unknown',
    typed,
    suggestion: { name: suggestion.name, text: [suggestion.name, join(rest)].join(' ').trim() },
  };
}

/** Returns the words that were probably meant as the operation's name. */
function guessTypedName(words: readonly string[], catalogue: Catalogue): string {
  const [first = ''] = words;
  return words.slice(0, isFamilyName(first, catalogue) ? maxNameWords : 1).join(' ');
}

function isFamilyName(word: string, { groups }: Catalogue): boolean {
  return groups.some(({ operations }) =>
    operations.some(({ name }) => name.startsWith(`${word.toLowerCase()} `)),
  );
}

/** Splits typed text into words. Quoted text is one word. Returns undefined if a quote isn't closed. */
export function splitShellWords(text: string): string[] | undefined {
  try {
    // Without the added space, an empty word at the end would be lost, as in `--zone ""`.
    return split(/(?:""|'')$/.test(text) ? `${text} ` : text);
  } catch {
    return undefined;
  }
}

interface ArgumentOptions {
  readonly catalogue: Catalogue;
  readonly areReadsPublic?: boolean;
  /** Input implied by the command's name. */
  readonly known?: RawInput;
}

function parseArguments(
  operation: Operation,
  typedWords: readonly string[],
  { catalogue, areReadsPublic = false, known = {} }: ArgumentOptions,
): ParsedCommand {
  const entries = listGivenArguments(operation).filter(([name]) => known[name] === undefined);
  const flags = entries.filter(([, argument]) => argument.flag !== undefined);
  const places = entries.filter(([, argument]) => argument.flag === undefined);
  const malformed = (message: string): ParsedCommand => ({ kind: 'malformed', message, operation });
  const words = joinWhereVpsFits(joinEnds(typedWords), places);

  const switches = flags.flatMap(([, { flag, control }]) =>
    control.kind === 'switch' && flag ? [flag] : [],
  );
  const flagged = flagRecipients(
    words,
    entries.map(([, argument]) => argument),
  );
  const given = takeSwitchValues(flagged, [...switches, 'public', 'private']);
  if (given.kind === 'invalid') return malformed(given.problem);
  const options = {
    public: { type: 'boolean' as const, multiple: false },
    private: { type: 'boolean' as const, multiple: false },
    // The run stores the reason alongside the operation's own input. Cards, messages and the activity log
    // show it.
    ...(operation.kind === 'change' && { reason: { type: 'string' as const, multiple: false } }),
    ...(takesSeveralVps(operation) && batchFlags),
    ...Object.fromEntries(flags.map(([, argument]) => [argument.flag, toParseArgsOption(argument)])),
  };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...given.words], options, allowPositionals: true, strict: true });
  } catch (error) {
    return malformed(formatFlagError(error, given.words, Object.keys(options)));
  }

  const {
    public: isPublicTyped,
    private: isPrivateTyped,
    ...values
  }: Record<string, unknown> = {
    ...parsed.values,
    ...given.switches,
  };
  const isPublicFlag = isPublicTyped === true;
  const isPrivateFlag = isPrivateTyped === true || isPublicTyped === false;
  if (isPublicFlag && isPrivateFlag) return malformed('Use --public or --private, not both.');
  const stated = readReason(operation, values);
  if ((stated.reason?.length ?? 0) > maxReasonChars)
    return malformed(`--reason takes at most ${maxReasonChars} characters.`);
  const several = parseBatch(operation, { places, words: parsed.positionals, values });
  const batch = several && catalogue.find(toBatchName(operation.name));
  if (batch)
    return {
      kind: 'run',
      operation: batch,
      raw: { ...known, ...stated, ...several },
      isPublic: isPublicFlag,
    };
  const { customSyntax } = operation;
  const typed = customSyntax ? [] : parsed.positionals;
  if (places.at(-1)?.[1].takesRemainingWords) typed.push(typed.splice(places.length - 1).join(' '));
  const raw: Record<string, RawValue> = {
    ...known,
    ...stated,
    ...customSyntax?.parse(parsed.positionals.join(' '), parsed.positionals),
  };
  places.forEach(([name], index) => {
    const word = typed[index];
    if (word) raw[name] = word;
  });
  for (const [name, { flag = '' }] of flags) {
    const value = values[flag];
    if (isRawValue(value)) raw[name] = value;
  }
  const isPublic = isPublicFlag || (isUsuallyPublic(operation, areReadsPublic) && !isPrivateFlag);
  const run = { kind: 'run' as const, operation, raw, isPublic };
  return typed.length > places.length ? parseExtraWords(run, places, typed) : run;
}

/**
 * Joins the end of a time range, such as `-04:00`, to the start before it. Otherwise the end would be
 * parsed as an option.
 */
function joinEnds(words: readonly string[]): readonly string[] {
  const isEnd = (word = '') => /^-(?:\d{1,2}[:.]\d{2}|\d{4})$/.test(word);
  return words.flatMap((word, index) => {
    if (index > 0 && isEnd(word)) return [];
    const next = words[index + 1];
    return [isEnd(next) ? `${word}${next}` : word];
  });
}

/** Joins `VPS 10001` into one VPS name, unless the two words are separate values, as in `ssh set vps 22`. */
function joinWhereVpsFits(words: readonly string[], places: readonly Place[]): readonly string[] {
  const needed = places.filter(([, { required }]) => required).length;
  const firstFlag = words.findIndex((word) => word.startsWith('-'));
  const isFilled = needed > 1 && (firstFlag < 0 ? words.length : firstFlag) === needed;
  return isFilled ? words : joinVpsNames(words);
}

/**
 * Parses a command with more words than the operation takes. The extra words are either a sentence around
 * a VPS name, or a mistake.
 */
function parseExtraWords(
  run: Extract<ParsedCommand, { kind: 'run' }>,
  places: readonly Place[],
  typed: readonly string[],
): ParsedCommand {
  const { operation, raw } = run;
  const named = takeOnlyName(operation, places, typed, raw);
  if (named) return { ...run, raw: named };
  const explained =
    explainTooManyNames(operation, places, typed, raw) ?? explainExtra(typed[places.length] ?? '', places);
  return { kind: 'malformed', operation, raw, ...explained };
}

function isUsuallyPublic(operation: Operation, areReadsPublic: boolean): boolean {
  return isPublicByDefault(operation) || (areReadsPublic && operation.kind === 'read');
}

/** Returns the reason for a change, as part of its input. */
function readReason(
  { kind }: Operation,
  { reason }: Readonly<Record<string, unknown>>,
): { readonly reason?: string } {
  const text = kind === 'change' && typeof reason === 'string' ? reason.trim() : '';
  return text === '' ? {} : { reason: text };
}

function explainExtra(extra: string, places: readonly unknown[]) {
  const hint = places.length > 0 ? ' If a value contains spaces, put it in quotes.' : '';
  return { message: `Unexpected "${extra}".${hint}` };
}

function toParseArgsOption({ control }: Argument) {
  return {
    type: control.kind === 'switch' ? ('boolean' as const) : ('string' as const),
    multiple: control.kind === 'rows',
  };
}

function isRawValue(value: unknown): value is RawValue {
  return typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value);
}

/** Formats an error from Node's `parseArgs` as a message, based on its code. */
function formatFlagError(error: unknown, words: readonly string[], known: readonly string[]): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const flagsTyped = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/s, ''));
  const unknownFlag = flagsTyped.find((flag) => !known.includes(flag.replace(/^--/, '')));
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && unknownFlag !== undefined) {
    const near = findNearestName(unknownFlag.replace(/^-+/, ''), known);
    return `There's no option ${unknownFlag} here${near ? `. Did you mean --${near}?` : '.'}`;
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const flag = /--[\w-]+/.exec(error instanceof Error ? error.message : '')?.[0] ?? flagsTyped.join(', ');
    return words.some((word) => word.startsWith(`${flag}=`))
      ? `${flag} takes no value.`
      : `${flag} needs a value.`;
  }
  return "Rackhand doesn't understand these options.";
}

/** Matches people and user groups, as typed (`@lead`) or as Slack IDs. */
const recipient = /^(@\S+|[USW][A-Z0-9]{2,})$/;

/**
 * Inserts a recipient's flag before the person or user group that follows another flag's value:
 * `--escalate 15m @lead` becomes `--escalate 15m --escalate-to @lead`.
 */
export function flagRecipients(
  words: readonly string[],
  fields: readonly Pick<Argument, 'flag' | 'recipientFlag'>[],
): readonly string[] {
  return words.flatMap((word, index) => {
    const [beforeValue, beforeWord] = [words[index - 2], words[index - 1]];
    const field = fields.find(
      ({ flag, recipientFlag }) =>
        recipientFlag !== undefined && (beforeValue === `--${flag}` || beforeWord?.startsWith(`--${flag}=`)),
    );
    return field && recipient.test(word) ? [`--${field.recipientFlag}`, word] : [word];
  });
}

/** Matches a value that turns a switch on, such as `yes` in `--redirect-https yes`. */
const onPattern = /^(yes|true|on)$/i;
const offPattern = /^(no|false|off)$/i;

interface SwitchValues {
  readonly kind: 'valid';
  /** The words that remain without switches that had a value, and without those values. */
  readonly words: readonly string[];
  readonly switches: Readonly<Record<string, boolean>>;
}

/** A switch with a value that is neither yes nor no. */
interface InvalidSwitch {
  readonly kind: 'invalid';
  readonly problem: string;
}

/**
 * Removes switches that have a value, such as `--redirect-https yes` or `--redirect-https=no`, from typed
 * words. Returns their values.
 */
function takeSwitchValues(words: readonly string[], flags: readonly string[]): SwitchValues | InvalidSwitch {
  const left: string[] = [];
  const switches: Record<string, boolean> = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return { kind: 'valid', words: [...left, ...words.slice(index)], switches };
    const [, name = '', attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const value = flags.includes(name) ? parseSwitchValue(attached ?? words[index + 1]) : undefined;
    if (value === undefined && attached !== undefined && flags.includes(name))
      return { kind: 'invalid', problem: `--${name} takes yes or no.` };
    if (value === undefined) left.push(word);
    else {
      switches[name] = value;
      index += attached === undefined ? 1 : 0;
    }
  }
  return { kind: 'valid', words: left, switches };
}

function parseSwitchValue(word: string | undefined): boolean | undefined {
  if (word === undefined) return undefined;
  if (onPattern.test(word)) return true;
  return offPattern.test(word) ? false : undefined;
}

type Place = readonly [name: string, argument: Argument];

/** The flags of an operation that can be run on several VPS, as options for Node's `parseArgs`. */
const batchFlags = {
  vps: { type: 'string' as const, multiple: true },
  state: { type: 'string' as const, multiple: false },
  'at-a-time': { type: 'string' as const, multiple: false },
};

interface TypedWords {
  /** The positional arguments, in order. */
  readonly places: readonly Place[];
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

function takesSeveralVps(operation: Operation): boolean {
  return operation.kind === 'change' && operation.several !== undefined;
}

/**
 * Returns the input of a batch if the words and flags select several VPS: `web-01 web-02`, `web-*`,
 * `--vps web-*` or `--state stopped`. Returns undefined if they select one VPS or don't fit.
 */
function parseBatch(operation: Operation, { places, words, values }: TypedWords): RawInput | undefined {
  if (!takesSeveralVps(operation)) return undefined;
  const { vps: flagged, state, 'at-a-time': atATime } = values;
  const names = Array.isArray(flagged) ? flagged.flatMap((word) => splitWords(String(word))) : [];
  const hasFlag = names.length > 0 || state !== undefined || atATime !== undefined;
  const others = places.filter(([, { control }]) => !isVpsControl(control));
  const typed = others.length === 0 ? removeFillerWords(words) : [];
  const isSeveral = hasFlag || typed.length > 1 || typed.some((word) => word.includes('*'));
  if (!isSeveral || words.length > others.length + (others.length === 0 ? words.length : 0)) return undefined;
  const inPlace = others.flatMap(([name], index) => {
    const word = words[index];
    return word === undefined ? [] : [[name, word] as const];
  });
  const targets = [...typed, ...names];
  return {
    ...Object.fromEntries(inPlace),
    // A state without names selects all VPS in that state.
    targets: targets.length > 0 ? targets : ['*'],
    ...(typeof state === 'string' && { state }),
    ...(typeof atATime === 'string' && { atATime }),
  };
}

/** VPS actions that people type as commands. */
const actionVerbs = ['start', 'stop', 'shutdown', 'restart', 'poweron', 'poweroff'];

/** Returns the operation and input for a typed verb such as `stop`, or undefined if the word isn't such a verb. */
function findActionVerb(
  word: string,
  catalogue: Catalogue,
): { readonly operation: Operation; readonly known: RawInput } | undefined {
  const verb = word.toLowerCase();
  const operation = catalogue.find('action');
  const control = operation?.arguments.action?.control;
  if (!operation || control?.kind !== 'choice' || !actionVerbs.includes(verb)) return undefined;
  // A service without an action of that name can still reboot.
  const reboot = verb === 'restart' && !control.options.includes(verb) ? catalogue.find('reboot') : undefined;
  return reboot ? { operation: reboot, known: {} } : { operation, known: { action: verb } };
}
