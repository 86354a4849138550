import { formatPatterns } from '../../../auth/vps-pattern.ts';
import { RackhandError } from '../../../errors.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../../../hosting/endpoints/monitoring.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { readVpsList } from '../../../hosting/payloads/vps.ts';
import { canViewVps } from '../../../operations/define/access/access.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { defineRead } from '../../../operations/define/define-operation.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import { formatEstimate } from '../../../operations/grammar/duration.ts';
import { requirePlan } from '../../../plans/plan-operations.ts';
import { dayMs } from '../../../time/units.ts';
import type { ListAlerts } from '../../shared/alert-digest.ts';
import type { LoadSilence } from '../../shared/silence.ts';
import { estimateCallsMs, estimateReportMs, type Throughput } from '../../shared/throughput.ts';
import { isVpsSelected, listUnmatchedWords, withOwnAliases } from '../../shared/vps-selection.ts';
import { type BuiltReport, buildReport } from '../delivery/build-report.ts';
import { countCalls } from '../delivery/collect-fleet.ts';
import { defaultSummarySettings } from '../findings/thresholds.ts';
import {
  aboutArgument,
  optionalReportArgument,
  type ReportContent,
  reportContent,
  reportPeriodMs,
  reportVpsArgument,
} from '../planning/report-plan.ts';
import type { ReportStore } from '../report.ts';
import { findingLines, type ReportSummary } from '../summary/fleet/fleet-summary.ts';
import type { CsvFile } from '../summary/fleet/fleet-table.ts';

export type SendFile = (person: Actor, csv: CsvFile) => Promise<void>;

interface RunReportDependencies {
  readonly store: Pick<ReportStore, 'find'>;
  readonly reports: ChoiceSource;
  readonly sendFile: SendFile;
  readonly listAlerts: ListAlerts;
  readonly loadSilence: LoadSilence;
  readonly now: () => number;
}

/** Maximum time that a person waits for a report. Slack's response URLs are valid for half an hour. */
const maxWaitMs = 28 * 60_000;

/** Safety margin on the estimated duration. */
const marginMs = 60_000;

interface RunPlan {
  readonly name: string;
  readonly content: Pick<ReportContent, 'about' | 'vps' | 'settings'>;
  readonly periodMs: number;
}

interface RunInput {
  readonly name?: string | undefined;
  readonly vps?: string | undefined;
  readonly about?: string | undefined;
}

const runName = 'report run';

export function createRunReportOperation({
  store,
  reports,
  sendFile,
  listAlerts,
  loadSilence,
  now,
}: RunReportDependencies): Operation {
  async function planOf({ teamId }: Actor, { name, vps, about }: RunInput): Promise<RunPlan> {
    if (vps !== undefined && about !== undefined) throw conflictingScopesError();
    const scope = requestedScope({ vps, about });
    if (name === undefined) {
      const content = { about: 'fleet', vps: '*', settings: defaultSummarySettings, ...scope } as const;
      return { name: 'Fleet', content, periodMs: dayMs };
    }
    const report = await requirePlan('report', store, teamId, name);
    const content = reportContent.parse(report.content);
    return {
      name: report.name,
      content: { ...content, ...scope },
      periodMs: reportPeriodMs(report.timing),
    };
  }

  return defineRead({
    name: runName,
    heading: 'Report now',
    summary: 'Report on the fleet or one VPS now, including anything unusual',
    arguments: { name: optionalReportArgument(reports), vps: reportVpsArgument, about: aboutArgument },
    isFilteredByRights: true,
    timeoutMs: maxWaitMs + marginMs,
    endpoints: [listVps, getLiveMonitoring, getRrdMonitoring],
    async run({ read, workspace, loadAccess, timeZone, quotaUsage, reportProgress, actor }, input) {
      const plan = await planOf(actor, input);
      const untilMs = now();
      const period = { fromMs: untilMs - plan.periodMs, untilMs };
      const checkAccess = await loadAccess();
      const canView = (one: string) => canViewVps(checkAccess, one);
      const throughput = await quotaUsage();
      const ownAliases = await workspace.listVpsAliases();
      const list = await read(listVps, {}, { maxAgeMs: 5_000, pagesTimeoutMs: maxWaitMs });
      const fleet = withOwnAliases(readVpsList(list).vps, ownAliases);
      const selected = fleet.filter((one) => isVpsSelected(plan.content.vps, one) && canView(one.name));
      const names = selected.map((one) => one.name);
      const unmet = input.vps === undefined ? [] : listUnmatchedWords(input.vps, selected);
      if (unmet.length > 0 || names.length === 0)
        throw noVpsSelectedError(unmet.join(' ') || plan.content.vps);
      const calls = countCalls(period, { vpsCount: selected.length });
      assertFinishesInTime(calls, throughput, selected.length);
      const zone = await timeZone();
      const made = await buildReport({
        ...plan,
        period,
        timeZone: zone,
        read,
        ownAliases,
        alerts: await listAlerts(actor.teamId, period),
        silence: await loadSilence(actor.teamId, untilMs),
        canView,
        onProgress(done, all) {
          const left = (calls * (all - done)) / all;
          reportProgress(
            `${progressName(input)}: ${done} of ${all} VPS read, ${formatEstimate(estimateCallsMs(left, throughput))} to go.`,
          );
        },
      });
      if (made.summary.csv) await sendFile(actor, made.summary.csv);
      const isPart = plan.content.about === 'fleet' && checkAccess({ right: 'view', vps: [] }) !== undefined;
      return toOutcome(made, isPart);
    },
  });
}

function toOutcome({ summary }: BuiltReport, isPart: boolean): Outcome {
  const { title, facts, table, notes, chart, csv } = summary;
  return {
    title,
    facts,
    actionLines: findingLines(summary),
    ...(table && { table }),
    notes: [
      ...(isPart ? ['Only VPS you have access to are listed.'] : []),
      ...notes,
      ...(csv ? [`I sent ${csv.fileName} to your DMs.`] : []),
    ],
    ...(chart && { chart }),
    ...runNextSteps(summary),
  };
}

function progressName({ name, about }: RunInput): string {
  if (about !== undefined) return `Report on ${about}`;
  return name === undefined ? 'Fleet report' : `Report "${name}"`;
}

/** Returns the buttons, including those for VPS with findings, because this message has no thread to put them in. */
function runNextSteps({ table, next, details }: ReportSummary): Pick<Outcome, 'next' | 'choiceSteps'> {
  if (!table) return { next };
  const [only, ...others] = details;
  return {
    next: only && others.length === 0 ? only.next : next,
    choiceSteps: [
      { label: 'Show a VPS', operation: 'show', argument: 'vps', input: {} },
      ...(others.length > 0
        ? [{ label: 'Mute a VPS for a Day', operation: 'mute', argument: 'vps', input: {} }]
        : []),
    ],
  };
}

/** Returns the scope typed by the person, which overrides the report's scope. */
function requestedScope({ vps, about }: RunInput): Partial<Pick<ReportContent, 'about' | 'vps'>> {
  if (about !== undefined) return { about: 'vps', vps: about };
  return vps === undefined ? {} : { about: 'fleet', vps };
}

function conflictingScopesError(): RackhandError {
  return new RackhandError('input_invalid', 'Use --vps for a fleet or --about for one VPS, not both.');
}

function noVpsSelectedError(patterns: string): RackhandError {
  const what =
    patterns === '*' ? 'There is no VPS to report on.' : `No VPS matches ${formatPatterns(patterns)}.`;
  return new RackhandError('input_invalid', what);
}

function assertFinishesInTime(calls: number, throughput: Throughput, vpsCount: number): void {
  const lastsMs = estimateReportMs(calls, throughput);
  if (lastsMs <= maxWaitMs) return;
  const minutes = Math.ceil(lastsMs / 60_000);
  const what = `A report on ${vpsCount} VPS needs ${calls} calls. With this quota they take ${minutes} minutes, which is too long to wait. Select fewer VPS with --vps, or schedule the report with report add.`;
  throw new RackhandError('input_invalid', what);
}
