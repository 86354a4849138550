import { RackhandError } from '../error.ts';
import { type InputOf, inputSchema } from '../operations/argument.ts';
import { defineOwn, type Operation, type OperationContext } from '../operations/operation.ts';
import type { Fact, Outcome } from '../operations/outcome.ts';
import type { Source } from '../operations/sources/source.ts';
import { nextFacts, planFacts } from './describe-plan.ts';
import { besideRename, editArguments, either } from './edit-arguments.ts';
import { greetChannel } from './greeting.ts';
import { type PlanInput, planArguments, scheduleArguments } from './plan-arguments.ts';
import { misplanned, problemsOf } from './plan-problems.ts';
import { createPlanning, type Planning, type PlanningParts } from './planning.ts';
import { previewSchedule } from './preview.ts';
import { noSuchReport } from './run-report.ts';
import type { Report, ReportPlan } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { ReportVoice } from './voice.ts';
import { writePlan } from './write-plan.ts';

interface EditReportParts extends PlanningParts {
  readonly store: ReportStore;
  readonly reports: Source;
  readonly voice: Pick<ReportVoice, 'say'>;
  /** Has the scheduler look at once. */
  readonly wake: () => void;
  readonly now: () => number;
}

/** How often somebody else may be faster: each time the change is put upon what they have made of it. */
const mostTries = 5;

type EditInput = InputOf<ReturnType<typeof editArguments>>;

/** Declares the operation that plans a report anew. */
export function createEditReport({
  store,
  reports,
  voice,
  wake,
  now,
  othersPerMinute,
}: EditReportParts): Operation {
  const makePlan = createPlanning({ store, othersPerMinute, now });

  async function find(teamId: string, name: string): Promise<Report> {
    const report = await store.find(teamId, name);
    if (!report) throw noSuchReport(name);
    return report;
  }

  async function planAnew(context: OperationContext, input: EditInput, report: Report): Promise<Planning> {
    const planning = await makePlan(context, merge(report, input), report);
    return planning.ok ? planning : { ok: false, problems: planning.problems.map(besideRename) };
  }

  return defineOwn({
    name: 'report edit',
    heading: 'Edit a report',
    summary: 'Change what a report tells, when it comes, or what it is called',
    arguments: editArguments(reports),
    button: 'Save',
    right: 'change',
    isAccountWide: true,
    target: ({ name }) => name,
    form: {
      filledBy: 'name',
      async fill({ asker }, given) {
        if (typeof given.name !== 'string') return given;
        const report = await store.find(asker.teamId, given.name);
        if (!report) return undefined;
        const { name: rename = '', ...plan } = writePlan(report);
        return { ...plan, rename, ...given };
      },
      isWanted: ({ name: _, ...changes }) => Object.values(changes).every((change) => change === undefined),
      preview: {
        of: scheduleArguments,
        async tell({ timeZone }, given) {
          if (given.name === undefined) return undefined;
          return previewSchedule(given, given.zone ? '' : await timeZone(), now());
        },
      },
    },
    async check(context, input) {
      const report = await store.find(context.asker.teamId, input.name);
      return report ? problemsOf(planAnew(context, input, report)) : [];
    },
    async run(context, input) {
      const { teamId } = context.asker;
      for (let left = mostTries; left > 0; left -= 1) {
        const report = await find(teamId, input.name);
        const planning = await planAnew(context, input, report);
        if (!planning.ok) throw misplanned(planning.problems);
        const { plan } = planning;
        if (plan.channel !== report.channel) await greetChannel(voice, teamId, plan);
        if (!(await store.edit(report, plan, now()))) continue;
        wake();
        return describeEdited(report, plan, now());
      }
      throw changing(input.name);
    },
  });
}

function changing(name: string): RackhandError {
  const what = `The report "${name}" is being changed by somebody else: try again.`;
  return new RackhandError('input_invalid', what);
}

/** Puts what is to be another in the place of what is. What has a meaning only beside what it replaces goes with it. */
function merge(report: Report, { rename, ...changes }: EditInput): PlanInput {
  const is = inputSchema(planArguments).parse(writePlan(report));
  const every = changes.every ?? is.every;
  const isOther = every !== is.every;
  const isScopeOther = [changes.what, changes.vps, changes.about].some(
    (change) => typeof change === 'string',
  );
  return {
    every,
    days: either(changes.days, isOther ? undefined : is.days),
    day: either(changes.day, isOther ? undefined : is.day),
    cron: either(changes.cron, isOther ? undefined : is.cron),
    at: either(changes.at, every === 'cron' ? undefined : is.at),
    zone: either(changes.zone, is.zone),
    channel: changes.channel ?? is.channel,
    what: either(changes.what, isScopeOther ? undefined : is.what),
    vps: either(changes.vps, isScopeOther ? undefined : is.vps),
    about: either(changes.about, isScopeOther ? undefined : is.about),
    post: either(changes.post, is.post),
    thresholds: either(changes.thresholds, is.thresholds),
    quiet: either(changes.quiet, is.quiet),
    name: rename ?? is.name,
  };
}

function describeEdited(before: Report, plan: ReportPlan, nowMs: number): Outcome {
  const facts = changedFacts(before, plan);
  const { name, recurrence } = plan;
  const next: Outcome['next'] = [
    { label: 'Run Now', operation: 'report run', input: { name } },
    { label: 'Show', operation: 'report show', input: { name } },
    { label: 'Edit', operation: 'report edit', input: { name }, opensForm: true },
  ];
  if (facts.length === 0) return { title: `The report "${name}" is as it was`, next };
  const rests = before.state.kind === 'paused' ? ['It rests: resume it, so that it comes again.'] : [];
  return {
    title: `The report "${name}" is changed`,
    facts: [...facts, ...(rests.length > 0 ? [] : nextFacts(recurrence, nowMs))],
    notes: rests,
    next,
  };
}

/** Tells what is another now, and what it was. */
function changedFacts(before: Report, after: ReportPlan): readonly Fact[] {
  const renamed = { label: 'Name', value: after.name };
  const told = [{ label: 'Name', value: before.name }, ...planFacts(before)];
  return [renamed, ...planFacts(after)].flatMap(({ label, value }): readonly Fact[] => {
    const was = told.find((fact) => fact.label === label)?.value;
    if (JSON.stringify(was) === JSON.stringify(value)) return [];
    return [{ label, value }, ...(was === undefined ? [] : [{ label: 'Was', value: was }])];
  });
}
