import { defineOwn, type Operation, type OperationContext } from '../operations/operation.ts';
import type { RawInput } from '../operations/outcome.ts';
import { unlessLate } from '../operations/runs/unless-late.ts';
import { planFacts } from './describe-plan.ts';
import { greetChannel } from './greeting.ts';
import { planArguments, scheduleArguments } from './plan-arguments.ts';
import { misplanned, nameTaken, problemsOf } from './plan-problems.ts';
import { createPlanning, type PlanningParts } from './planning.ts';
import { previewSchedule } from './preview.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { ReportVoice } from './voice.ts';

interface AddReportParts extends PlanningParts {
  readonly store: ReportStore;
  readonly voice: Pick<ReportVoice, 'say'>;
  /** Has the scheduler look at once. */
  readonly wake: () => void;
  readonly now: () => number;
}

/** How often it comes where only what belongs to that was typed. */
const everies = [
  ['cron', 'cron'],
  ['weekly', 'days'],
  ['monthly', 'day'],
] as const;

/** A form that opens must not wait longer for what it could do without. */
const zoneWithinMs = 800;

/** Declares the operation that plans a report. */
export function createAddReport({ store, voice, wake, now, othersPerMinute }: AddReportParts): Operation {
  const makePlan = createPlanning({ store, othersPerMinute, now });

  return defineOwn({
    name: 'report add',
    heading: 'Plan a report',
    summary: 'Plan a report on the fleet, or on one VPS, that comes by itself',
    arguments: planArguments,
    button: 'Plan',
    right: 'change',
    isAccountWide: true,
    target: ({ name, every }) => name ?? every,
    form: {
      fill: fillIn,
      preview: {
        of: scheduleArguments,
        async tell({ timeZone }, given) {
          return previewSchedule(given, given.zone ? '' : await timeZone(), now());
        },
      },
    },
    check: (context, input) => problemsOf(makePlan(context, input)),
    async run(context, input) {
      const { asker } = context;
      const planning = await makePlan(context, input);
      if (!planning.ok) throw misplanned(planning.problems);
      const { plan } = planning;
      await greetChannel(voice, asker.teamId, plan);
      const report = await store.add(asker, plan, now());
      if (!report) throw nameTaken('report', plan.name);
      wake();
      const { name } = report;
      return {
        title: `The report "${name}" is planned`,
        facts: planFacts(report, { vpsCount: plan.content.vpsCount, nowMs: now() }),
        next: [
          { label: 'Run Now', operation: 'report run', input: { name } },
          { label: 'Edit', operation: 'report edit', input: { name }, opensForm: true },
          { label: 'Delete', operation: 'report delete', input: { name } },
          { label: 'Reports', operation: 'report list', input: {} },
        ],
      };
    },
  });
}

/** Fills in what a person sees better than they would guess it: their time zone, and the channel where they ask. */
async function fillIn(
  { timeZone, origin }: Pick<OperationContext, 'timeZone' | 'origin'>,
  given: RawInput,
): Promise<RawInput> {
  const zone = given.zone ?? (await unlessLate(timeZone(), zoneWithinMs).catch(() => undefined));
  const { channel = '' } = origin;
  const every = everies.find(([, field]) => given[field] !== undefined)?.[0];
  return {
    ...(every !== undefined && { every }),
    ...(zone !== undefined && { zone }),
    ...(/^[CG]/.test(channel) && { channel }),
    ...(given.about !== undefined && { what: 'vps' }),
    ...given,
  };
}
