import { RackhandError } from '../../../errors.ts';
import { formatList } from '../../../format-list.ts';
import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import {
  type ChoiceScope,
  findChoice,
  findSuggestions,
} from '../../../operations/choices/matching/find-choice.ts';
import { matchPattern } from '../../../operations/choices/matching/match-pattern.ts';
import { toVpsReference } from '../../../operations/choices/matching/vps-reference.ts';
import { vpsChoices } from '../../../operations/choices/sources/vps.ts';
import type { Choice } from '../../../operations/define/arguments/choice-source.ts';
import { parseInput, type ValidInput } from '../../../operations/define/arguments/input.ts';
import { splitWords } from '../../../operations/define/arguments/remote-fields.ts';
import type { ChangeOperation, OperationContext } from '../../../operations/define/operation.ts';
import { type BatchInput, maxTargets } from '../../../operations/several/batch-operation.ts';
import { type Problem, toProblem } from '../../problem.ts';
import { askWhetherMeant } from './name-problems.ts';
import { createScope, findOwnAlias } from './resolve-input.ts';

type ExpandedInput =
  | { readonly kind: 'valid'; readonly parsed: ValidInput }
  | { readonly kind: 'invalid'; readonly problem: Problem };

const maxNamed = 5;

type Found =
  | { readonly kind: 'found'; readonly vps: readonly string[] }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Replaces the names, patterns and state in a batch's input with the VPS that match now. The batch won't
 * change any other VPS. Reports all problems at once.
 */
export async function expandTargets(
  operation: ChangeOperation,
  { raw, input }: ValidInput,
  context: OperationContext,
): Promise<ExpandedInput> {
  const { targets, state } = input as BatchInput;
  const words = [...new Set(targets.flatMap(({ vps }) => splitWords(vps)))];
  const needsList = state !== undefined || words.some((word) => word.includes('*'));
  const fleet = needsList ? await readFleet(context) : undefined;
  if (fleet && !fleet.isComplete) return invalid([incompleteListMessage]);
  const found = await Promise.all(
    words.map((word) =>
      fleet && word.includes('*') ? matchAll(word, fleet.choices) : findOne(word, context),
    ),
  );
  const problems = found.flatMap((one) => (one.kind === 'problem' ? [one.problem] : []));
  const named = [...new Set(found.flatMap((one) => (one.kind === 'found' ? one.vps : [])))];
  const vps = fleet && state !== undefined ? keepState(named, state, fleet.choices) : named;
  if (problems.length === 0 && vps.length === 0 && fleet && state !== undefined)
    problems.push(describeStates(state, named, fleet.choices));
  if (vps.length > maxTargets) problems.push(describeTooMany(vps.length));
  if (problems.length > 0) return invalid(problems);
  const { state: _, ...others } = raw;
  const parsed = parseInput(operation, { ...others, targets: vps });
  return parsed.kind === 'valid'
    ? { kind: 'valid', parsed }
    : invalid(parsed.problems.map(({ message }) => `${message}.`));
}

const incompleteListMessage =
  "Rackhand couldn't read the whole list of VPS, so it doesn't know which ones you mean. Name each VPS.";

async function readFleet(context: OperationContext) {
  const { isVisible = () => true, workspace } = await createScope(context);
  const { choices, isComplete } = await vpsChoices.load(context.read, {}, 0, workspace);
  return { choices: choices.filter(isVisible), isComplete };
}

function matchAll(pattern: string, choices: readonly Choice[]): Found {
  const vps = matchPattern(pattern, choices).map(({ value }) => value);
  return vps.length > 0
    ? { kind: 'found', vps }
    : { kind: 'problem', problem: `No VPS matches "${pattern}".` };
}

async function findOne(name: string, context: OperationContext): Promise<Found> {
  const scope = await createScope(context);
  const found = await findChoice(vpsChoices, name, {}, context.read, scope);
  if (found.kind === 'known') return { kind: 'found', vps: [found.choice.value] };
  if (found.kind === 'several') {
    const texts = found.choices.slice(0, maxNamed).map(({ text }) => text);
    const more = found.choices.length - texts.length;
    const all = formatList([...texts, ...(more > 0 ? [`${more} more`] : [])], 'or');
    return { kind: 'problem', problem: `"${name}" could mean ${all}.` };
  }
  // The service may know a VPS outside the part of the list that Rackhand could read.
  if (found.kind === 'unsure' && isVpsName(name)) return { kind: 'found', vps: [name] };
  const own = await findOwnAlias(name, context.workspace, scope);
  return own && found.kind === 'unsure'
    ? { kind: 'found', vps: [own.value] }
    : { kind: 'problem', problem: await describeUnknown(toVpsReference(name), context, scope) };
}

async function describeUnknown(
  name: string,
  { read }: OperationContext,
  scope: ChoiceScope,
): Promise<string> {
  const suggested = await findSuggestions(vpsChoices, name, {}, read, scope).catch(() => []);
  const notFound = vpsChoices.formatNotFound(name, {});
  return suggested.length === 0 ? notFound : `${notFound} ${askWhetherMeant(suggested)}`;
}

const normalizeState = (state: string) => state.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function keepState(vps: readonly string[], state: string, choices: readonly Choice[]): readonly string[] {
  const wanted = normalizeState(state);
  const inState = new Set(
    choices.filter((choice) => normalizeState(choice.state ?? '') === wanted).map(({ value }) => value),
  );
  return vps.filter((name) => inState.has(name));
}

function describeStates(state: string, vps: readonly string[], choices: readonly Choice[]): string {
  const states = choices.flatMap((choice) =>
    vps.includes(choice.value) && choice.state !== undefined ? [choice.state] : [],
  );
  const present = [...new Set(states)].slice(0, maxNamed);
  const known = present.length > 0 ? ` Their states are ${formatList(present, 'and')}.` : '';
  return `None of these VPS is in the state "${state}".${known}`;
}

function describeTooMany(count: number): string {
  return `That's ${count} VPS. At most ${maxTargets} can be changed at once, so you can check each one's state before you confirm. Use a narrower pattern, or name the VPS.`;
}

function invalid(problems: readonly string[]): ExpandedInput {
  const problem = toProblem(new RackhandError('input_invalid', problems.join(' ')), { isChanging: false });
  const nextSteps = [{ label: 'List VPS', operation: 'list', input: {} }];
  return { kind: 'invalid', problem: { ...problem, nextSteps } };
}
