import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import { defineOwn, type Operation, type Read } from '../operations/operation.ts';
import type { Fact, NextStep, Outcome } from '../operations/outcome.ts';
import type { Source } from '../operations/sources/source.ts';
import { fitsOneOf } from '../workspaces/rights/patterns.ts';
import { reportArgument } from './arguments.ts';
import { reportContent } from './content.ts';
import { planFacts } from './describe-plan.ts';
import { reasonWords } from './pauses.ts';
import { noSuchReport } from './run-report.ts';
import type { Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';

interface ShowReportParts {
  readonly store: Pick<ReportStore, 'find'>;
  readonly reports: Source;
  readonly now: () => number;
}

/** How old the list of VPS may be by which those that are meant are counted. */
const listAgeMs = 60_000;

/** Declares the operation that tells all about a planned report. */
export function createShowReport({ store, reports, now }: ShowReportParts): Operation {
  return defineOwn({
    name: 'report show',
    heading: 'Show a report',
    summary: 'Tell what a report tells, when it comes, and who planned it',
    arguments: { name: reportArgument(reports) },
    button: 'Show',
    right: 'look',
    target: ({ name }) => name,
    async run({ asker, read }, { name }) {
      const report = await store.find(asker.teamId, name);
      if (!report) throw noSuchReport(name);
      return describeReport(report, await countMeant(report, read), now());
    },
  });
}

/** Counts the VPS that are meant now; nothing where the list cannot be read. */
async function countMeant({ content }: Report, read: Read): Promise<number | undefined> {
  const { vps } = reportContent.parse(content);
  try {
    const fleet = readVpsList(await read(listVps, {}, { maxAgeMs: listAgeMs })).vps;
    return fleet.filter(({ name }) => fitsOneOf(vps, name)).length;
  } catch {
    // What is planned can be shown without the service.
    return undefined;
  }
}

function describeReport(report: Report, vpsCount: number | undefined, nowMs: number): Outcome {
  const { name, state, madeBy, madeMs, endedDueMs } = report;
  return {
    title: state.kind === 'paused' ? `${name} (rests)` : name,
    facts: [
      ...stateFacts(report),
      ...planFacts(report, { vpsCount, nowMs: state.kind === 'paused' ? undefined : nowMs }),
      { label: 'Last came', value: endedDueMs === null ? 'not yet' : { timeMs: endedDueMs } },
      { label: 'Planned by', value: { person: madeBy } },
      { label: 'Planned', value: { timeMs: madeMs } },
    ],
    next: stepsFor(report),
  };
}

function stateFacts({ state, skippedSinceMs }: Report): readonly Fact[] {
  const missed: readonly Fact[] =
    skippedSinceMs === null ? [] : [{ label: 'Missed since', value: { timeMs: skippedSinceMs } }];
  if (state.kind !== 'paused') return missed;
  return [
    { label: 'Rests since', value: { timeMs: state.sinceMs } },
    state.byUserId === null
      ? { label: 'Because', value: reasonWords(state.reason, 'report') }
      : { label: 'Paused by', value: { person: state.byUserId } },
    ...missed,
  ];
}

/** Gives the buttons below a report: what can be done about it. */
export function stepsFor({ name, state }: Pick<Report, 'name' | 'state'>): readonly NextStep[] {
  const input = { name };
  return [
    { label: 'Run Now', operation: 'report run', input },
    { label: 'Edit', operation: 'report edit', input, opensForm: true },
    state.kind === 'paused'
      ? { label: 'Resume', operation: 'report resume', input }
      : { label: 'Pause', operation: 'report pause', input },
    { label: 'Delete', operation: 'report delete', input },
  ];
}
