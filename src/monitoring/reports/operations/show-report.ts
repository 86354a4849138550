import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../../operations/define/outcome.ts';
import { createVpsLabeler, type LabelVps } from '../../../operations/format/label-vps.ts';
import { monitorNextSteps, requireMonitor } from '../../shared/monitor/monitor.ts';
import { selectVps } from '../../shared/monitor/plan-target.ts';
import { pauseFacts } from '../../shared/pauses/format-pause.ts';
import { reportPlanFacts } from '../planning/plan-facts.ts';
import { reportArgument } from '../planning/report-arguments.ts';
import { reportContent } from '../planning/report-content.ts';
import type { Report } from '../report.ts';
import type { ReportStore } from '../report-store.ts';

interface ShowReportDependencies {
  readonly store: Pick<ReportStore, 'find'>;
  readonly reports: ChoiceSource;
  readonly now: () => number;
}

export function createShowReportOperation({ store, reports, now }: ShowReportDependencies): Operation {
  return defineLocal({
    name: 'report show',
    heading: 'Show a report',
    summary: 'Show the content, schedule and creator of a report',
    arguments: { name: reportArgument(reports) },
    button: 'Show',
    right: 'view',
    target: ({ name }) => name,
    async run(context, { name }) {
      const report = await requireMonitor('report', store, context.actor.teamId, name);
      return formatReportDetails(report, await countSelected(report, context), {
        nowMs: now(),
        labelVps: createVpsLabeler(await loadVpsLabels(context)),
      });
    },
  });
}

/** Returns how many VPS are currently selected, or undefined if the VPS can't be listed. */
async function countSelected({ content }: Report, context: OperationContext): Promise<number | undefined> {
  const { vps } = reportContent.parse(content);
  try {
    const { list, selected } = await selectVps(context, vps);
    return list.hasMore ? undefined : selected.length;
  } catch {
    // The plan can be shown even if the service can't be reached.
    return undefined;
  }
}

function formatReportDetails(
  report: Report,
  vpsCount: number | undefined,
  { nowMs, labelVps }: { readonly nowMs: number; readonly labelVps: LabelVps },
): Outcome {
  const { name, state, createdBy, createdMs, lastFinishedDueMs } = report;
  return {
    title: state.kind === 'paused' ? `${name} (paused)` : name,
    facts: [
      ...stateFacts(report),
      ...reportPlanFacts(report, { vpsCount, labelVps, nowMs: state.kind === 'paused' ? undefined : nowMs }),
      {
        label: 'Last report',
        value: lastFinishedDueMs === null ? 'not yet' : { kind: 'time', timeMs: lastFinishedDueMs },
      },
      { label: 'Created by', value: { kind: 'person', person: createdBy } },
      { label: 'Created', value: { kind: 'time', timeMs: createdMs } },
    ],
    next: reportNextSteps(name, state.kind === 'paused'),
  };
}

function stateFacts({ state, skippedSinceMs }: Report): readonly Fact[] {
  const missed: readonly Fact[] =
    skippedSinceMs === null
      ? []
      : [{ label: 'Missed since', value: { kind: 'time', timeMs: skippedSinceMs } }];
  if (state.kind !== 'paused') return missed;
  return [
    { label: 'Paused since', value: { kind: 'time', timeMs: state.sinceMs } },
    ...pauseFacts({ state }, 'report'),
    ...missed,
  ];
}

/** Returns the buttons below a report. */
export function reportNextSteps(name: string, isPaused: boolean): readonly NextStep[] {
  return [
    { label: 'Run Now', operation: 'report run', input: { name } },
    ...monitorNextSteps('report', name, isPaused),
  ];
}
