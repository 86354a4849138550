import type { Argument } from '../define/arguments/argument.ts';
import { isVpsControl } from '../define/arguments/input.ts';
import type { RawInput } from '../define/arguments/raw-input.ts';
import { splitWords } from '../define/arguments/remote-fields.ts';
import type { Operation } from '../define/operation.ts';
import { removeFillerWords } from './natural-mistakes.ts';

type Place = readonly [name: string, argument: Argument];

/**
 * The flags of an operation that can be run on several VPS, in the form that Node's parser takes.
 */
export const batchFlags = {
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

/** Returns whether an operation can be run on several VPS. */
export function takesSeveralVps(operation: Operation): boolean {
  return operation.kind === 'change' && operation.several !== undefined;
}

/**
 * Returns the input of a batch if the words and flags select several VPS: `web-01 web-02`, `web-*`,
 * `--vps web-*` or `--state stopped`. Returns undefined if they select one VPS or don't fit.
 */
export function parseBatch(
  operation: Operation,
  { places, words, values }: TypedWords,
): RawInput | undefined {
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
