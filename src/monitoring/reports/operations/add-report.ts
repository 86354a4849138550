import type { Actor } from '../../../operations/define/access/actor.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import { invalidPlanError, planProblems } from '../../../plans/plan-arguments.ts';
import { listStep, planSteps } from '../../../plans/plan-words.ts';
import { formatWhen } from '../../../time/format-when.ts';
import { splitWhen } from '../../../time/parse-when.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { type ChannelPublisher, postIntro } from '../../shared/channel-publisher.ts';
import { whenPreview } from '../../shared/when-arguments.ts';
import { planArguments, reportPlanFacts } from '../planning/report-plan.ts';
import { createReportPlanner, type ReportPlannerDependencies } from '../planning/report-planner.ts';
import type { ReportPlan, ReportStore } from '../report.ts';

interface AddReportDependencies extends ReportPlannerDependencies {
  readonly store: ReportStore;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly now: () => number;
}

/** How long a form waits for the person's time zone, which is optional. */
const timeZoneTimeoutMs = 800;

export function createAddReportOperation({ store, publisher, now }: AddReportDependencies): Operation {
  const makePlan = createReportPlanner({ store, now });

  return defineLocal({
    name: 'report add',
    heading: 'Schedule a report',
    summary: 'Schedule a report on the fleet, or on one VPS',
    arguments: planArguments,
    customSyntax: { usage: '[PATTERNS] WHEN', parse: parseReportText },
    button: 'Schedule',
    right: 'operate',
    isAccountWide: true,
    target: ({ name, when }) => name ?? when,
    form: {
      prefill,
      preview: { ...whenPreview(now), dependsOn: ['when', 'zone', 'quiet'] },
    },
    validate: (context, input) => planProblems(makePlan(context, input)),
    async run(context, input) {
      const { actor } = context;
      const planning = await makePlan(context, input);
      if (planning.kind === 'invalid') throw invalidPlanError(planning.problems);
      const { plan, labelVps } = planning.planned;
      await postReportIntro(publisher, actor, plan);
      const report = await store.add(actor, plan, now());
      const { name } = report;
      return {
        title: `Report "${name}" is scheduled`,
        facts: reportPlanFacts(report, {
          vpsCount: plan.content.isEstimated ? undefined : plan.content.vpsCount,
          nowMs: now(),
          labelVps,
        }),
        next: [
          { label: 'Run Now', operation: 'report run', input: { name } },
          ...planSteps('report', report),
          listStep('report'),
        ],
      };
    },
  });
}

async function prefill(
  { timeZone, origin }: Pick<OperationContext, 'timeZone' | 'origin'>,
  given: RawInput,
): Promise<RawInput> {
  const zone = given.zone ?? (await withTimeout(timeZone(), timeZoneTimeoutMs).catch(() => undefined));
  const { channel = '' } = origin;
  return {
    when: 'daily 09:00',
    ...(zone !== undefined && { zone }),
    ...(/^[CG]/.test(channel) && { channel }),
    ...(given.about !== undefined && { what: 'vps' }),
    ...given,
  };
}

/**
 * Parses `web-* daily 09:00`. Text that can't be split is parsed as a time, so the error explains what's wrong with it.
 */
function parseReportText(typed: string): RawInput {
  const { act, when } = splitWhen(`report ${typed}`);
  const [, ...patterns] = act.split(' ');
  if (when === '' || !patterns.every((one) => /[*\d]/.test(one))) return typed === '' ? {} : { when: typed };
  return { when, ...(patterns.length > 0 && { vps: patterns.join(' ') }) };
}

/** Announces a report in its channel. Throws `input_invalid` if the app can't post there. */
export function postReportIntro(
  publisher: Pick<ChannelPublisher, 'postText'>,
  author: Pick<Actor, 'teamId' | 'userId'>,
  { name, channel, timing }: ReportPlan,
): Promise<void> {
  const text = `Report "${name}" is scheduled for this channel: ${formatWhen(timing)}.`;
  return postIntro(publisher, author, channel, text);
}
