import { RackhandError } from '../error.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../hosting/endpoints/monitoring.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import { defineRead, type Operation } from '../operations/operation.ts';
import type { Outcome } from '../operations/outcome.ts';
import { maySee } from '../operations/runs/access.ts';
import type { Asker } from '../operations/runs/run.ts';
import { fits } from '../workspaces/rights/pattern.ts';
import { optionalNameArgument, vpsPatternArgument } from './arguments.ts';
import { callsFor } from './collection.ts';
import { periodMsOf, type ReportContent, reportContent } from './content.ts';
import { type Made, makeReport } from './make-report.ts';
import { collectingMs } from './pace.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { Csv } from './summary/csv.ts';
import { summarySettings } from './summary/settings.ts';

/** Gives a file to a person, in their direct messages with the app. */
export type GiveFile = (asker: Asker, csv: Csv) => Promise<void>;

interface RunReportParts {
  readonly store: Pick<ReportStore, 'find'>;
  readonly giveFile: GiveFile;
  readonly now: () => number;
}

/** Longest that somebody waits for a report: after ten minutes a run lapses. */
const longestMs = 9 * 60_000;

/** What stands out is told of so many in the message itself. */
const mostDetails = 5;

const dayMs = 24 * 60 * 60_000;

interface Plan {
  readonly name: string;
  readonly content: Pick<ReportContent, 'vps' | 'settings'>;
  readonly periodMs: number;
}

const runName = 'report run';

/** Declares the operation that makes a report now. */
export function createRunReport({ store, giveFile, now }: RunReportParts): Operation {
  async function planOf({ teamId }: Asker, name: string | undefined, vps: string | undefined): Promise<Plan> {
    if (name === undefined) {
      const content = { vps: vps ?? '*', settings: summarySettings.parse({}) };
      return { name: 'Fleet', content, periodMs: dayMs };
    }
    const report = await store.find(teamId, name);
    if (!report) throw noSuchReport(name);
    const content = reportContent.parse(report.content);
    return {
      name: report.name,
      content: { ...content, vps: vps ?? content.vps },
      periodMs: periodMsOf(report.recurrence),
    };
  }

  return defineRead({
    name: runName,
    heading: 'Report now',
    summary: 'Summarize how the fleet did, with what stands out',
    arguments: { name: optionalNameArgument, vps: vpsPatternArgument },
    isPartial: true,
    uses: [listVps, getLiveMonitoring, getRrdMonitoring],
    async run({ read, reach, timeZone, usage, asker }, { name, vps }) {
      const plan = await planOf(asker, name, vps);
      const untilMs = now();
      const period = { fromMs: untilMs - plan.periodMs, untilMs };
      const mayDo = await reach();
      const isSeen = (one: string) => maySee(mayDo, one);
      const fleet = readVpsList(await read(listVps, {}, { maxAgeMs: 5_000 })).vps;
      const meant = fleet.filter((one) => fits(plan.content.vps, one.name) && isSeen(one.name));
      if (meant.length === 0) throw nothingMeant(plan.content.vps);
      requireSoon(callsFor(period, meant.length), (await usage()).backgroundLimit, meant.length);
      const zone = await timeZone();
      const made = await makeReport({ ...plan, period, timeZone: zone, read, maySee: isSeen });
      if (made.summary.csv) await giveFile(asker, made.summary.csv);
      const isPart = mayDo({ right: 'look', vps: [] }) !== undefined;
      return outcomeOf(made, isPart);
    },
  });
}

function outcomeOf({ summary }: Made, isPart: boolean): Outcome {
  const { title, facts, table, notes, chart, next, details, csv } = summary;
  return {
    title,
    facts: [
      ...facts,
      ...details.slice(0, mostDetails).map(({ vps, lines }) => ({ label: vps, value: lines.join(' ') })),
    ],
    table,
    notes: [
      ...(isPart ? ['There may be more VPS than these: this is what you may look at.'] : []),
      ...notes,
      ...(csv ? [`${csv.fileName} is in your direct messages.`] : []),
    ],
    ...(chart && { chart }),
    next,
    choose: [{ label: 'Show a VPS', operation: 'show', argument: 'vps', input: {} }],
  };
}

/** Says that no report is called so. */
export function noSuchReport(name: string): RackhandError {
  return new RackhandError('input_invalid', `There is no report called "${name}" here.`);
}

/** Says that no VPS is meant. */
export function nothingMeant(pattern: string): RackhandError {
  const what = pattern === '*' ? 'There is no VPS to report on.' : `No VPS is called like ${pattern}.`;
  return new RackhandError('input_invalid', what);
}

function requireSoon(calls: number, perMinute: number, vpsCount: number): void {
  const lastsMs = collectingMs(calls, perMinute);
  if (lastsMs <= longestMs) return;
  const minutes = Math.ceil(lastsMs / 60_000);
  const what = `A report on ${vpsCount} VPS needs ${calls} calls, which take ${minutes} minutes of the quota: too long to wait for. Name fewer by --vps, or let it come by itself: report add.`;
  throw new RackhandError('input_invalid', what);
}
