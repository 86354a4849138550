import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import { canViewVps } from '../../../operations/define/access/access.ts';
import { listVpsNames } from '../../../operations/define/arguments/input.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import type { DisplayNames } from '../../../operations/define/target-state.ts';
import {
  createVpsLabeler,
  findUnlabelledVps,
  labelFacts,
  labelSteps,
  toVpsLabels,
  type VpsLabels,
} from '../../../operations/format/label-vps.ts';
import type { Problem } from '../../problem.ts';
import type { ChangeRun } from '../run-context.ts';

interface ShownRun {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly displayNames: DisplayNames | undefined;
}

type LabelContext = Pick<OperationContext, 'read' | 'workspace' | 'loadAccess'>;

/**
 * Returns the labels for the VPS in a reply. Reads the list only if the reply mentions VPS that aren't in the run's
 * input.
 */
export async function findShownLabels(
  shown: unknown,
  { operation, input, displayNames }: ShownRun,
  context: LabelContext,
): Promise<VpsLabels> {
  const known = toVpsLabels(displayNames);
  const inInput = listVpsNames(operation.arguments, input);
  const mentioned = findUnlabelledVps(collectText(shown));
  const isKnown = (vps: string) => known.has(vps) || inInput.includes(vps);
  return mentioned.every(isKnown) ? known : new Map([...(await loadVpsLabels(context)), ...known]);
}

/** Labels the VPS in facts about a target's state. */
export async function labelShownFacts(
  facts: readonly Fact[],
  { run: { displayNames }, operation, parsed: { input }, operationContext }: ChangeRun,
): Promise<readonly Fact[]> {
  const shown = { operation, input, displayNames };
  return labelFacts(facts, createVpsLabeler(await findShownLabels(facts, shown, operationContext)));
}

/** Labels the VPS in a problem. The input of its buttons stays unchanged. */
export function labelProblem(problem: Problem, labels: VpsLabels): Problem {
  if (labels.size === 0) return problem;
  const label = createVpsLabeler(labels);
  const { message, advice, facts, nextSteps } = problem;
  return {
    ...problem,
    message: label(message),
    advice: label(advice),
    ...(facts && { facts: labelFacts(facts, label) }),
    ...(nextSteps && { nextSteps: labelSteps(nextSteps, label) }),
  };
}

/**
 * Labels the VPS in a problem whose run doesn't know the labels. Reads the list only if the problem names a VPS that
 * the person is allowed to view.
 */
export async function labelUnresolvedProblem(problem: Problem, context: LabelContext): Promise<Problem> {
  const mentioned = findUnlabelledVps(`${problem.message}\n${problem.advice}`);
  if (mentioned.length === 0) return problem;
  const checkAccess = await context.loadAccess();
  if (!mentioned.some((vps) => canViewVps(checkAccess, vps))) return problem;
  return labelProblem(problem, await loadVpsLabels(context));
}

/** Returns all text in a value, one string per line. */
function collectText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(collectText).join('\n');
}
