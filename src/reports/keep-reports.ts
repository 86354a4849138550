import { RackhandError } from '../error.ts';
import { defineOwn, type Operation } from '../operations/operation.ts';
import type { NextStep, Outcome, Value } from '../operations/outcome.ts';
import { nameArgument } from './arguments.ts';
import { reportContent } from './content.ts';
import { reasonWords } from './pauses.ts';
import { noSuchReport } from './run-report.ts';
import { describeRecurrence } from './schedule/describe-recurrence.ts';
import type { Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';

interface KeepReportsParts {
  readonly store: ReportStore;
  /** Has the scheduler look at once. */
  readonly wake: () => void;
  readonly now: () => number;
}

/** Reports that can be paused, or resumed, by a button each; a longer name would not fit on it. */
const mostButtons = 10;
const longestOnButton = 22;

/** Declares the operations that list planned reports, let them rest and go on, and delete them. */
export function createKeepReports({ store, wake, now }: KeepReportsParts): readonly Operation[] {
  async function find(teamId: string, name: string): Promise<Report> {
    const report = await store.find(teamId, name);
    if (!report) throw noSuchReport(name);
    return report;
  }
  const listAs = async (teamId: string, title: string) => ({
    ...describeReports(await store.list(teamId)),
    title,
  });
  const shared = { arguments: { name: nameArgument }, right: 'change' } as const;

  return [
    defineOwn({
      name: 'report list',
      heading: 'Reports',
      summary: 'List the reports that come by themselves',
      arguments: {},
      button: 'Show',
      right: 'look',
      run: async ({ asker }) => describeReports(await store.list(asker.teamId)),
    }),

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
        return listAs(teamId, `The report "${name}" rests`);
      },
    }),

    defineOwn({
      name: 'report resume',
      heading: 'Resume a report',
      summary: 'Let a report that rests come again',
      ...shared,
      button: 'Resume',
      target: ({ name }) => name,
      async run({ asker: { teamId } }, { name }) {
        if (!(await store.resume(await find(teamId, name), now())))
          throw new RackhandError('input_invalid', `The report "${name}" does not rest.`);
        wake();
        return listAs(teamId, `The report "${name}" comes again`);
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
        return listAs(teamId, `The report "${name}" is deleted`);
      },
    }),
  ];
}

function describeReports(reports: readonly Report[]): Outcome {
  const add: NextStep = { label: 'Plan a Report', operation: 'report add', input: {}, opensForm: true };
  if (reports.length === 0) return { title: 'No reports are planned', next: [add] };
  return {
    title: reports.length === 1 ? 'One report' : `${reports.length} reports`,
    table: {
      columns: ['Report', 'Channel', 'VPS', 'Comes', 'Next'],
      rows: reports.map((report): Value[] => [
        report.name,
        { channel: report.channel },
        vpsOf(report),
        describeRecurrence(report.recurrence),
        nextOf(report),
      ]),
    },
    notes: reports.flatMap(({ name, state }) =>
      state.kind === 'paused' && state.byUserId === null ? [`${name}: ${reasonWords(state.reason)}`] : [],
    ),
    next: [add, ...reports.slice(0, mostButtons).flatMap(stepsOf)],
  };
}

function vpsOf({ content }: Report): string {
  const { vps = '*' } = reportContent.safeParse(content).data ?? {};
  return vps === '*' ? 'all' : vps;
}

function nextOf({ state }: Report): Value {
  if (state.kind === 'active') return state.nextMs === null ? 'never' : { timeMs: state.nextMs };
  return 'rests';
}

function stepsOf({ name, state }: Report): readonly NextStep[] {
  if (name.length > longestOnButton) return [];
  const [label, operation] =
    state.kind === 'paused' ? ['Resume', 'report resume'] : ['Pause', 'report pause'];
  return [{ label: `${label} ${name}`, operation, input: { name } }];
}
