import { RackhandError } from '../error.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../hosting/endpoints/monitoring.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import { aboutTime } from '../operations/duration.ts';
import { defineRead, type Operation } from '../operations/operation.ts';
import type { Outcome } from '../operations/outcome.ts';
import { maySee } from '../operations/runs/access.ts';
import type { Asker } from '../operations/runs/run.ts';
import type { Source } from '../operations/sources/source.ts';
import { fitsOneOf, fittingNone, patternWords } from '../workspaces/rights/patterns.ts';
import { aboutArgument, optionalReportArgument, vpsPatternArgument } from './arguments.ts';
import { callsFor } from './collection.ts';
import { periodMsOf, type ReportContent, reportContent } from './content.ts';
import type { HoursStore } from './history/hours-store.ts';
import { type Made, makeReport } from './make-report.ts';
import type { MuteStore } from './mutes/mute-store.ts';
import { callingMs, collectingMs, type Pace } from './pace.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { Csv } from './summary/csv.ts';
import type { ReportSummary } from './summary/report-summary.ts';
import { summarySettings } from './summary/settings.ts';

/** Gives a file to a person, in their direct messages with the app. */
export type GiveFile = (asker: Asker, csv: Csv) => Promise<void>;

interface RunReportParts {
  readonly store: Pick<ReportStore, 'find'>;
  readonly reports: Source;
  readonly giveFile: GiveFile;
  readonly hours: Pick<HoursStore, 'of' | 'reaching'>;
  readonly mutes: Pick<MuteStore, 'untilOf'>;
  readonly now: () => number;
}

/** Longest that somebody waits for a report: what Slack gave to answer by is good for half an hour. */
const longestMs = 28 * 60_000;

/** By so much it may take longer than it should. */
const marginMs = 60_000;

/** What stands out is told of so many in the message itself. */
const mostDetails = 5;

const dayMs = 24 * 60 * 60_000;

interface Plan {
  readonly name: string;
  readonly content: Pick<ReportContent, 'about' | 'vps' | 'settings'>;
  readonly periodMs: number;
}

interface Asked {
  readonly name?: string | undefined;
  readonly vps?: string | undefined;
  readonly about?: string | undefined;
}

const runName = 'report run';

/** Declares the operation that makes a report now. */
export function createRunReport({ store, reports, giveFile, hours, mutes, now }: RunReportParts): Operation {
  async function planOf({ teamId }: Asker, { name, vps, about }: Asked): Promise<Plan> {
    if (vps !== undefined && about !== undefined) throw bothScopes();
    const scope = scopeOf({ vps, about });
    if (name === undefined) {
      const content = { about: 'fleet', vps: '*', settings: summarySettings.parse({}), ...scope } as const;
      return { name: 'Fleet', content, periodMs: dayMs };
    }
    const report = await store.find(teamId, name);
    if (!report) throw noSuchReport(name);
    const content = reportContent.parse(report.content);
    return {
      name: report.name,
      content: { ...content, ...scope },
      periodMs: periodMsOf(report.recurrence),
    };
  }

  return defineRead({
    name: runName,
    heading: 'Report now',
    summary: 'Tell how the fleet, or one VPS, did, with what stands out',
    arguments: { name: optionalReportArgument(reports), vps: vpsPatternArgument, about: aboutArgument },
    isPartial: true,
    longestMs: longestMs + marginMs,
    uses: [listVps, getLiveMonitoring, getRrdMonitoring],
    async run({ read, reach, timeZone, usage, progress, asker }, asked) {
      const plan = await planOf(asker, asked);
      const untilMs = now();
      const period = { fromMs: untilMs - plan.periodMs, untilMs };
      const mayDo = await reach();
      const isSeen = (one: string) => maySee(mayDo, one);
      const fleet = readVpsList(await read(listVps, {}, { maxAgeMs: 5_000 })).vps;
      const meant = fleet.filter((one) => fitsOneOf(plan.content.vps, one.name) && isSeen(one.name));
      const names = meant.map((one) => one.name);
      const unmet = asked.vps === undefined ? [] : fittingNone(asked.vps, names);
      if (unmet.length > 0 || names.length === 0) throw nothingMeant(unmet.join(' ') || plan.content.vps);
      const pace = await usage();
      const isKept = await hours.reaching(asker.teamId, period);
      const calls = callsFor(period, meant.length, meant.filter((one) => isKept(one.name)).length);
      requireSoon(calls, pace, meant.length);
      const zone = await timeZone();
      const made = await makeReport({
        ...plan,
        period,
        timeZone: zone,
        read,
        hours: hours.of(asker.teamId),
        muted: await mutes.untilOf(asker.teamId, untilMs),
        maySee: isSeen,
        onRead(done, all) {
          const left = (calls * (all - done)) / all;
          progress(
            `${progressName(asked)}: ${done} of ${all} VPS are read, ${aboutTime(callingMs(left, pace))} to go.`,
          );
        },
      });
      if (made.summary.csv) await giveFile(asker, made.summary.csv);
      const isPart = plan.content.about === 'fleet' && mayDo({ right: 'look', vps: [] }) !== undefined;
      return outcomeOf(made, isPart);
    },
  });
}

function outcomeOf({ summary }: Made, isPart: boolean): Outcome {
  const { title, facts, table, notes, chart, details, csv } = summary;
  return {
    title,
    facts: [
      ...facts,
      ...details.slice(0, mostDetails).map(({ vps, lines }) => ({ label: vps, value: lines.join(' ') })),
    ],
    ...(table && { table }),
    notes: [
      ...(isPart ? ['There may be more VPS than these: this is what you may look at.'] : []),
      ...notes,
      ...(csv ? [`${csv.fileName} is in your direct messages.`] : []),
    ],
    ...(chart && { chart }),
    ...stepsOf(summary),
  };
}

/** Names what is made, for a channel that reads how far it is. */
function progressName({ name, about }: Asked): string {
  if (about !== undefined) return `Report on ${about}`;
  return name === undefined ? 'Fleet report' : `Report "${name}"`;
}

/** Gives what can be done: here there is no thread in which each VPS that stands out has buttons of its own. */
function stepsOf({ table, next, details }: ReportSummary): Pick<Outcome, 'next' | 'choose'> {
  if (!table) return { next };
  const [only, ...others] = details;
  return {
    next: only && others.length === 0 ? only.next : next,
    choose: [
      { label: 'Show a VPS', operation: 'show', argument: 'vps', input: {} },
      ...(others.length > 0
        ? [{ label: 'Mute a VPS for a Day', operation: 'mute', argument: 'vps', input: {} }]
        : []),
    ],
  };
}

/** What is asked for takes the place of what was planned. */
function scopeOf({ vps, about }: Asked): Partial<Pick<ReportContent, 'about' | 'vps'>> {
  if (about !== undefined) return { about: 'vps', vps: about };
  return vps === undefined ? {} : { about: 'fleet', vps };
}

function bothScopes(): RackhandError {
  return new RackhandError(
    'input_invalid',
    'A report is on a fleet, by --vps, or on one VPS, by --about: not on both.',
  );
}

/** Says that no report is called so. */
export function noSuchReport(name: string): RackhandError {
  return new RackhandError('input_invalid', `There is no report called "${name}" here.`);
}

/** Says that no VPS is meant. */
export function nothingMeant(patterns: string): RackhandError {
  const what =
    patterns === '*' ? 'There is no VPS to report on.' : `No VPS is called like ${patternWords(patterns)}.`;
  return new RackhandError('input_invalid', what);
}

function requireSoon(calls: number, pace: Pace, vpsCount: number): void {
  const lastsMs = collectingMs(calls, pace);
  if (lastsMs <= longestMs) return;
  const minutes = Math.ceil(lastsMs / 60_000);
  const what = `A report on ${vpsCount} VPS needs ${calls} calls, which take ${minutes} minutes of the quota: too long to wait for. Name fewer by --vps, or let it come by itself: report add.`;
  throw new RackhandError('input_invalid', what);
}
