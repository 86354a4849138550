import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import {
  type ChoiceScope,
  findChoice,
  findSuggestions,
} from '../../../operations/choices/matching/find-choice.ts';
import { matchVps } from '../../../operations/choices/matching/match-choices.ts';
import { toVpsReference } from '../../../operations/choices/matching/vps-reference.ts';
import { canViewVps } from '../../../operations/define/access/access.ts';
import type { Choice, ChoiceWorkspace } from '../../../operations/define/arguments/choice-source.ts';
import { type Input, replaceInputText, type ValidInput } from '../../../operations/define/arguments/input.ts';
import type { FieldProblem } from '../../../operations/define/arguments/raw-input.ts';
import {
  getValueAt,
  listRemoteFields,
  setValueAt,
  splitWords,
} from '../../../operations/define/arguments/remote-fields.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { DisplayNames } from '../../../operations/define/target-state.ts';
import { findUnlabelledVps, toVpsLabels } from '../../../operations/format/label-vps.ts';
import { formatVpsLabel } from '../../../operations/format/vps-label.ts';
import type { Problem } from '../../problem.ts';
import { findShownLabels, labelProblem } from './label-shown-vps.ts';
import { askWhich, describeNotFound, toFieldsProblem, type UnresolvedName } from './name-problems.ts';

export type ResolvedInput =
  /** `parsed` contains IDs instead of the names that the person typed. */
  | { readonly kind: 'valid'; readonly parsed: ValidInput; readonly displayNames?: DisplayNames }
  | {
      readonly kind: 'invalid';
      readonly problem: Problem;
      /** The same problem, per field. Set only if the operation's `validate` found it. */
      readonly fieldProblems?: readonly FieldProblem[];
    };

interface ResolveOptions {
  /** Accepts IDs that aren't in the service's list, because the person chose to try them. */
  readonly acceptsUnlisted?: boolean;
}

/**
 * Replaces the names in a parsed input with IDs, and runs the operation's own validation. Rejects a name
 * without exactly one match, with buttons to continue.
 */
export async function resolveInput(
  operation: Operation,
  parsed: ValidInput,
  context: OperationContext,
  { acceptsUnlisted = false }: ResolveOptions = {},
): Promise<ResolvedInput> {
  let resolved = withParsedWords(operation, parsed);
  const displayNames: Record<string, string> = {};
  for (const field of listRemoteFields(operation, resolved.raw)) {
    const { raw, input } = resolved;
    const name = readInputAt(input, field.path);
    if (name === undefined) continue;
    const found = await resolveName({ operation, raw, input, field, name }, context, acceptsUnlisted);
    if (found.kind === 'rejected')
      return { kind: 'invalid', problem: labelProblem(found.problem, toVpsLabels(displayNames)) };
    if (found.kind === 'unlisted') continue;
    const { value, text } = found.choice;
    const isShownByText = field.source.hasOpaqueIds || field.source.listsVps;
    if (isShownByText && text !== value) displayNames[field.path] = text;
    if (value === getValueAt(operation, raw, field.path)) continue;
    resolved = replaceInputText(operation, resolved, field.path, value);
  }
  const problems =
    operation.kind === 'local' ? await operation.validate?.(context, resolved.input) : undefined;
  if (problems && problems.length > 0)
    return { kind: 'invalid', problem: toFieldsProblem(problems), fieldProblems: problems };
  const { input } = resolved;
  const shownNames = { ...displayNames, ...(await findTitleLabels(operation, input, displayNames, context)) };
  return {
    kind: 'valid',
    parsed: resolved,
    ...(Object.keys(shownNames).length > 0 && { displayNames: shownNames }),
  };
}

/** Returns labels for VPS that a change's title names but its input doesn't, such as an IP address's owner. */
async function findTitleLabels(
  operation: Operation,
  input: Input,
  displayNames: DisplayNames,
  context: OperationContext,
): Promise<DisplayNames> {
  if (operation.kind !== 'change') return {};
  const title = operation.title({ ...input, ...displayNames });
  const labels = await findShownLabels(title, { operation, input, displayNames }, context);
  return Object.fromEntries(
    findUnlabelledVps(title).flatMap((vps) => {
      const label = labels.get(vps);
      return label === undefined ? [] : [[vps, label]];
    }),
  );
}

/**
 * Replaces VPS lists in the raw input with the parsed ones, so that a path leads to the same word in the
 * raw and the parsed input.
 */
function withParsedWords({ arguments: fields }: Operation, parsed: ValidInput): ValidInput {
  const lists = Object.entries(fields).filter(([, { control }]) => control.kind === 'vpsWords');
  const words = lists.flatMap(([name]) => {
    const isGiven = parsed.raw[name] !== undefined;
    return isGiven ? [[name, String(parsed.input[name])]] : [];
  });
  return words.length === 0 ? parsed : { ...parsed, raw: { ...parsed.raw, ...Object.fromEntries(words) } };
}

/** Returns the text at a dotted path in a parsed input. */
function readInputAt(input: Input, path: string): string | undefined {
  const value = path.split('.').reduce<unknown>((inner, field) => {
    if (typeof inner === 'string') return splitWords(inner)[Number(field)];
    return typeof inner === 'object' && inner !== null ? Reflect.get(inner, field) : undefined;
  }, input);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Creates the scope that limits choices to VPS that the person is allowed to view, so that names don't
 * reveal other VPS.
 */
export async function createScope({
  workspace,
  loadAccess,
}: Pick<OperationContext, 'workspace' | 'loadAccess'>): Promise<Required<ChoiceScope>> {
  const checkAccess = await loadAccess();
  return {
    workspace,
    isVisible: ({ value }) => !isVpsName(value) || canViewVps(checkAccess, value),
  };
}

type ResolvedName =
  | { readonly kind: 'known'; readonly choice: Choice }
  /** Not in the list that Rackhand could read, but the service may still know the name. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'rejected'; readonly problem: Problem };

async function resolveName(
  named: UnresolvedName,
  context: OperationContext,
  acceptsUnlisted: boolean,
): Promise<ResolvedName> {
  const { field, input, name } = named;
  const { source } = field;
  // The service knows a VPS only by its VPS name, so any other name must be in the list.
  const isAlias = source.listsVps === true && !isVpsName(name);
  const scope = await createScope(context);
  // People who can't view a VPS must not learn its names.
  if (source.listsVps && !isAlias && !scope.isVisible({ value: name, text: name }))
    return { kind: 'unlisted' };
  const found = await findChoice(source, name, input, context.read, scope);
  if (found.kind === 'known') return found;
  if (found.kind === 'several')
    return { kind: 'rejected', problem: askWhich(named, found.choices, found.isComplete) };
  const isComplete = found.kind === 'unknown';
  const canBeSent = !isAlias && (!isComplete || (acceptsUnlisted && !source.isOwnData));
  if (canBeSent) return { kind: 'unlisted' };
  return isAlias
    ? resolveUnlistedAlias(named, context, { acceptsUnlisted, isComplete })
    : rejectUnlisted(named, context, isComplete);
}

/** Resolves a name that no listed VPS has, such as the team's alias for an unlisted VPS, or `VPS 10001`. */
async function resolveUnlistedAlias(
  named: UnresolvedName,
  context: OperationContext,
  { acceptsUnlisted, isComplete }: { readonly acceptsUnlisted: boolean; readonly isComplete: boolean },
): Promise<ResolvedName> {
  const scope = await createScope(context);
  const own = await findOwnAlias(named.name, context.workspace, scope);
  if (own && (acceptsUnlisted || !isComplete)) return { kind: 'known', choice: own };
  const vps = own?.value ?? toVpsReference(named.name);
  if (!isVpsName(vps)) return rejectUnlisted(named, context, isComplete);
  const choice = { value: vps, text: vps };
  // Authorization will deny access to this VPS.
  if (!scope.isVisible(choice)) return { kind: 'known', choice };
  return rejectUnlisted(withName(named, vps), context, isComplete);
}

/** Finds the VPS to which the team gave a name, even if the service doesn't list the VPS. */
export async function findOwnAlias(
  name: string,
  { listVpsAliases }: ChoiceWorkspace,
  { isVisible }: ChoiceScope,
): Promise<Choice | undefined> {
  const choices = [...(await listVpsAliases())].map(([value, ownAlias]) => ({
    value,
    text: formatVpsLabel(value, ownAlias),
    ownAlias,
  }));
  const found = matchVps(name, choices).choices;
  return found.length === 1 ? found.find((choice) => isVisible?.(choice)) : undefined;
}

function withName(named: UnresolvedName, name: string): UnresolvedName {
  return { ...named, name, raw: setValueAt(named.operation, named.raw, named.field.path, name) };
}

async function rejectUnlisted(
  named: UnresolvedName,
  context: OperationContext,
  isComplete: boolean,
): Promise<ResolvedName> {
  const { field, input, name } = named;
  // If the choices can't be read, the problem is reported without suggestions.
  const visible = await createScope(context);
  const suggested = await findSuggestions(field.source, name, input, context.read, visible).catch(() => []);
  return { kind: 'rejected', problem: describeNotFound(named, { suggested, isComplete }) };
}
