import { RackhandError } from '../error.ts';
import type { QuotaUsage } from '../hosting/quota/quota.ts';
import { defineOwn, type Operation } from '../operations/operation.ts';
import type { NextStep, Outcome } from '../operations/outcome.ts';
import type { Source } from '../operations/sources/source.ts';
import { reportArgument } from './arguments.ts';
import { reportContent } from './content.ts';
import { nextFacts } from './describe-plan.ts';
import { besideOthers } from './pace.ts';
import { requireRoom } from './room.ts';
import { noSuchReport } from './run-report.ts';
import type { Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import { stepsFor } from './show-report.ts';
import { writePlan } from './write-plan.ts';

interface KeepReportsParts {
  readonly store: ReportStore;
  readonly reports: Source;
  /** Calls a minute that others make in the same lane. */
  readonly othersPerMinute: (teamId: string) => Promise<number>;
  /** Has the scheduler look at once. */
  readonly wake: () => void;
  readonly now: () => number;
}

/** Declares the operations that let planned reports rest and go on, and delete them. */
export function createKeepReports(parts: KeepReportsParts): readonly Operation[] {
  const { store, reports, othersPerMinute, wake, now } = parts;

  async function find(teamId: string, name: string): Promise<Report> {
    const report = await store.find(teamId, name);
    if (!report) throw noSuchReport(name);
    return report;
  }
  /** While it rested others may have taken its room. */
  async function requireItsRoom({ teamId, id, recurrence, content }: Report, usage: QuotaUsage) {
    const others = (await store.list(teamId)).filter((other) => other.id !== id);
    const pace = besideOthers(usage, await othersPerMinute(teamId));
    requireRoom({ recurrence, content: reportContent.parse(content) }, others, pace);
  }

  const shared = { arguments: { name: reportArgument(reports) }, right: 'change' } as const;

  return [
    defineOwn({
      name: 'report pause',
      heading: 'Pause a report',
      summary: 'Let a report rest',
      ...shared,
      button: 'Pause',
      target: ({ name }) => name,
      async run({ asker: { teamId, userId } }, { name }) {
        const report = await find(teamId, name);
        if (!(await store.pause(report.id, { reason: 'person', byUserId: userId }, now())))
          throw new RackhandError('input_invalid', `The report "${name}" rests already.`);
        return { title: `The report "${name}" rests`, ...reportSteps(await find(teamId, name)) };
      },
    }),

    defineOwn({
      name: 'report resume',
      heading: 'Resume a report',
      summary: 'Let a report that rests come again',
      ...shared,
      button: 'Resume',
      target: ({ name }) => name,
      async run({ asker: { teamId }, usage }, { name }) {
        const report = await find(teamId, name);
        await requireItsRoom(report, await usage());
        if (!(await store.resume(report, now())))
          throw new RackhandError('input_invalid', `The report "${name}" does not rest.`);
        wake();
        return {
          title: `The report "${name}" comes again`,
          facts: nextFacts(report.recurrence, now()),
          ...reportSteps(await find(teamId, name)),
        };
      },
    }),

    defineOwn({
      name: 'report delete',
      heading: 'Delete a report',
      summary: 'Delete a report that comes by itself',
      ...shared,
      button: 'Delete',
      target: ({ name }) => name,
      async run({ asker: { teamId } }, { name }) {
        const report = await find(teamId, name);
        if (!(await store.remove(report.id))) throw noSuchReport(name);
        return {
          title: `The report "${name}" is deleted`,
          notes: ['Plan Again opens the form with all that it was planned by.'],
          next: [
            { label: 'Plan Again', operation: 'report add', input: writePlan(report), opensForm: true },
            reportsStep,
          ],
        };
      },
    }),
  ];
}

const reportsStep: NextStep = { label: 'Reports', operation: 'report list', input: {} };

function reportSteps(report: Report): Pick<Outcome, 'next'> {
  return { next: [...stepsFor(report), reportsStep] };
}
