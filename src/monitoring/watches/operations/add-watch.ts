import { formatPatternsShort } from '../../../auth/vps-pattern.ts';
import { RackhandError } from '../../../errors.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { inputSchema } from '../../../operations/define/arguments/argument.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { FormPreview, Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import { invalidPlanError, planProblems } from '../../../plans/plan-arguments.ts';
import { listStep, planSteps, showStep } from '../../../plans/plan-words.ts';
import { type ChannelPublisher, postIntro } from '../../shared/channel-publisher.ts';
import { formatCondition, parseConditionText } from '../condition.ts';
import { checkReadable, type Readability } from '../planning/check-readable.ts';
import type { WatchArguments, WatchInput } from '../planning/watch-arguments.ts';
import {
  alertsWithinFact,
  evaluationFacts,
  type PlannedWatch,
  type WatchPlanner,
  watchPlanFacts,
} from '../planning/watch-planner.ts';
import type { WatchPlan } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

interface AddWatchDependencies {
  readonly store: Pick<WatchStore, 'add'>;
  readonly fields: WatchArguments;
  readonly makePlan: WatchPlanner;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly scheduleEvaluation: (teamId: string) => Promise<void>;
  readonly now: () => number;
}

export const previewedArguments = ['vps', 'measure', 'is', 'figure', 'match', 'state', 'lasts'] as const;

export function createAddWatchOperation({
  store,
  fields,
  makePlan,
  publisher,
  scheduleEvaluation,
  now,
}: AddWatchDependencies): Operation {
  return defineLocal({
    name: 'watch add',
    heading: 'Add a watch',
    summary: 'Alert a channel when a condition holds, such as watch add VPS-100* cpu > 90% for 10m',
    arguments: fields,
    customSyntax: { usage: '[PATTERN] CONDITION [for TIME]', parse: parseConditionText },
    button: 'Add Watch',
    right: 'operate',
    isAccountWide: true,
    target: ({ name, vps = '*', measure }) => name ?? `${measure} of ${vps}`,
    form: {
      prefill: async ({ origin: { channel = '' } }, given) => ({
        ...(/^[CG]/.test(channel) && { channel }),
        ...given,
      }),
      preview: {
        dependsOn: previewedArguments,
        build: (context, given) => previewWatch({ fields, makePlan }, context, given),
      },
    },
    validate: (context, input) => planProblems(makePlan(context, input)),
    async run(context, input) {
      const { actor } = context;
      const planning = await makePlan(context, input);
      if (planning.kind === 'invalid') throw invalidPlanError(planning.problems);
      const { plan, selected, labelVps } = planning.planned;
      const readable = await checkReadable(context.read, plan.condition, selected, labelVps);
      await postWatchIntro(publisher, actor, plan, labelVps);
      const watch = await store.add(actor, plan, now());
      await scheduleEvaluation(actor.teamId);
      const { name } = watch;
      return {
        title: `Watch "${name}" was added`,
        facts: addedFacts(planning.planned, readable),
        notes: [...planning.planned.warnings, ...readable.warnings],
        next: [...readable.steps, showStep('watch', name), ...planSteps('watch', watch), listStep('watch')],
      };
    },
  });
}

/** Returns facts about a new watch that neither the command nor the announcement contains. */
function addedFacts(
  { plan, selected, isPartial, intervalMs }: PlannedWatch,
  { facts }: Readability,
): readonly Fact[] {
  return [
    ...(facts.length > 0 || isPartial ? facts : [{ label: 'VPS', value: `${selected.length} now` }]),
    alertsWithinFact(plan.condition, intervalMs),
  ];
}

/** Returns the VPS that a watch would check, their current readings, and the interval. */
function previewFacts(
  { plan, selected, isPartial, intervalMs, labelVps }: PlannedWatch,
  { facts }: Readability,
): readonly Fact[] {
  return [
    ...watchPlanFacts(plan, labelVps, isPartial ? undefined : selected.length),
    ...facts,
    ...evaluationFacts(plan.condition, intervalMs),
  ];
}

/** Formats a form's preview of a watch, or why the watch isn't valid yet. */
export async function previewWatch(
  { fields, makePlan }: Pick<AddWatchDependencies, 'fields' | 'makePlan'>,
  context: OperationContext,
  given: RawInput,
): Promise<FormPreview> {
  const heading = 'Preview';
  const parsed = inputSchema(fields).safeParse({ ...given, name: undefined });
  if (!parsed.success)
    return { heading, lines: [...new Set(parsed.error.issues.map(({ message }) => `${message}.`))] };
  const input: WatchInput = { ...parsed.data, channel: parsed.data.channel || 'C0' };
  const planning = await makePlan(context, input).catch((error: unknown) => {
    if (error instanceof RackhandError) return undefined;
    throw error;
  });
  if (!planning) return { heading, lines: ["Rackhand can't list the VPS right now."] };
  if (planning.kind === 'invalid')
    return { heading, lines: planning.problems.map(({ message }) => `${message}.`) };
  const { plan, selected, labelVps, warnings } = planning.planned;
  const readable = await checkReadable(context.read, plan.condition, selected, labelVps);
  const facts = previewFacts(planning.planned, readable);
  return {
    heading,
    lines: [
      ...[...warnings, ...readable.warnings].map((warning) => `⚠️ ${warning}`),
      ...facts.flatMap(({ label, value }) => (typeof value === 'string' ? [`${label}: ${value}`] : [])),
    ],
  };
}

/** Announces a watch in its channel. Throws `input_invalid` if the app can't post there. */
export function postWatchIntro(
  publisher: Pick<ChannelPublisher, 'postText'>,
  author: Pick<Actor, 'teamId' | 'userId'>,
  { name, channel, vps, condition }: WatchPlan,
  labelVps: LabelVps,
): Promise<void> {
  const text = `Watch "${name}" will post alerts here: ${formatCondition(condition)} on ${labelVps(formatPatternsShort(vps))}.`;
  return postIntro(publisher, author, channel, text);
}
