import { defineOwn, type Operation } from '../operations/operation.ts';
import type { NextStep, Outcome, Value } from '../operations/outcome.ts';
import { patternWords } from '../workspaces/rights/patterns.ts';
import { reportContent } from './content.ts';
import { reasonWords } from './pauses.ts';
import { describeRecurrence } from './schedule/describe-recurrence.ts';
import type { Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import { stepsFor } from './show-report.ts';

/** Declares the operation that lists planned reports. */
export function createListReports({ store }: { readonly store: Pick<ReportStore, 'list'> }): Operation {
  return defineOwn({
    name: 'report list',
    heading: 'Reports',
    summary: 'List the reports that come by themselves',
    arguments: {},
    button: 'Show',
    right: 'look',
    run: async ({ asker }) => describeReports(await store.list(asker.teamId)),
  });
}

const add: NextStep = { label: 'Plan a Report', operation: 'report add', input: {}, opensForm: true };

function describeReports(reports: readonly Report[]): Outcome {
  const [first, ...others] = reports;
  if (!first) return { title: 'No reports are planned', next: [add] };
  return {
    title: others.length === 0 ? 'One report' : `${reports.length} reports`,
    table: {
      columns: ['Report', 'Next', 'Comes', 'About', 'Channel'],
      rows: reports
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        .map((report): Value[] => [
          report.name,
          nextOf(report),
          describeRecurrence(report.recurrence),
          scopeOf(report),
          { channel: report.channel },
        ]),
    },
    notes: reports.flatMap(({ name, state }) =>
      state.kind === 'paused' && state.byUserId === null
        ? [`${name}: ${reasonWords(state.reason, 'report')}`]
        : [],
    ),
    // One is reached at once; of more, each by the select.
    ...(others.length === 0
      ? {
          next: [
            { label: 'Show', operation: 'report show', input: { name: first.name } },
            ...stepsFor(first),
            add,
          ],
        }
      : {
          next: [add],
          choose: [{ label: 'Show a Report', operation: 'report show', argument: 'name', input: {} }],
        }),
  };
}

function scopeOf({ content }: Report): string {
  const { about, vps } = reportContent.safeParse(content).data ?? { about: 'fleet', vps: '*' };
  if (about === 'vps') return `${vps} in depth`;
  return patternWords(vps);
}

function nextOf({ state }: Report): Value {
  if (state.kind === 'active') return state.nextMs === null ? 'never' : { timeMs: state.nextMs };
  return 'rests';
}
