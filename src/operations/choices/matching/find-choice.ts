import { HostingError } from '../../../hosting/hosting-error.ts';
import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import {
  type Choice,
  type ChoiceList,
  type ChoiceSource,
  type ChoiceWorkspace,
  maxChoicesAgeMs,
} from '../../define/arguments/choice-source.ts';
import type { Read } from '../../define/read.ts';
import { readIfPermitted } from '../../format/read-if-permitted.ts';
import { matchChoices, matchVps } from './match-choices.ts';
import { suggestChoices } from './suggest-choice.ts';

export type FindChoiceResult =
  | { readonly kind: 'known'; readonly choice: Choice }
  /** The name matches several choices or, if the list is incomplete, may also match choices that weren't read. */
  | { readonly kind: 'several'; readonly choices: readonly Choice[]; readonly isComplete: boolean }
  /** The list is complete and doesn't contain the name. */
  | { readonly kind: 'unknown' }
  /** It's unknown whether the choice exists, because the list can't be read or may be incomplete. */
  | { readonly kind: 'unsure' };

export interface ChoiceScope {
  readonly workspace?: ChoiceWorkspace;
  /** Returns whether the person is allowed to see a choice. Choices that they can't see are found only by ID. */
  readonly isVisible?: (choice: Choice) => boolean;
}

/** Finds a choice by its value, its option value, or any of its other names. */
export async function findChoice(
  source: ChoiceSource,
  name: string,
  given: Readonly<Record<string, unknown>>,
  read: Read,
  { workspace, isVisible = () => true }: ChoiceScope = {},
): Promise<FindChoiceResult> {
  let isComplete = false;
  const readList = source.listsVps && isVpsName(name) ? firstPageOnly(read) : read;
  for (const maxAgeMs of [maxChoicesAgeMs, 0]) {
    const list = await loadIfPossible(source, given, maxAgeMs, readList, workspace);
    if (!list) return { kind: 'unsure' };
    const candidates = list.choices.filter((choice) => choice.value === name || isVisible(choice));
    const { choices, isUnique } = (source.listsVps ? matchVps : matchChoices)(name, candidates);
    const [choice, ...others] = choices;
    isComplete = list.isComplete;
    if (!choice && !isComplete) return { kind: 'unsure' };
    if (!choice) continue;
    const isCertain = isUnique || isComplete || !source.listsVps;
    return others.length === 0 && isCertain
      ? { kind: 'known', choice }
      : { kind: 'several', choices, isComplete };
  }
  return { kind: isComplete ? 'unknown' : 'unsure' };
}

/**
 * Creates a read that uses only the cached pages of a list or, if there are none, only its first page. A
 * VPS can be read by its VPS name, so nobody has to wait for a long list.
 */
function firstPageOnly(read: Read): Read {
  return (endpoint, input, options) => read(endpoint, input, { maxPages: 1, ...options });
}

/** Returns the visible choices that a person probably meant when they typed an unknown name. */
export async function findSuggestions(
  source: ChoiceSource,
  typed: string,
  given: Readonly<Record<string, unknown>>,
  read: Read,
  { workspace, isVisible = () => true }: ChoiceScope = {},
): Promise<readonly Choice[]> {
  const list = await loadIfPossible(source, given, maxChoicesAgeMs, read, workspace);
  return list ? suggestChoices(typed, list.choices.filter(isVisible)) : [];
}

/**
 * Loads the choices. Returns undefined if the API key lacks permission to read the list, or if the list is
 * too large.
 */
async function loadIfPossible(
  source: ChoiceSource,
  given: Readonly<Record<string, unknown>>,
  maxAgeMs: number,
  read: Read,
  workspace: ChoiceWorkspace | undefined,
): Promise<ChoiceList | undefined> {
  try {
    const list = await readIfPermitted(() => source.load(read, given, maxAgeMs, workspace));
    return typeof list === 'string' ? undefined : list;
  } catch (error) {
    // The name may still exist at the service, even though Rackhand can't read the list.
    if (error instanceof HostingError && error.code === 'response_too_large') return undefined;
    throw error;
  }
}
