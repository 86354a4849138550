import { formatPatterns } from '../../../auth/vps-pattern.ts';
import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { NextStep, Value } from '../../../operations/define/outcome.ts';
import { createVpsLabeler } from '../../../operations/format/label-vps.ts';
import { formatWhen } from '../../../time/format-when.ts';
import { formatMonitorList } from '../../shared/monitor/format-monitor-list.ts';
import { pauseNotes } from '../../shared/pauses/format-pause.ts';
import { reportContent } from '../planning/report-content.ts';
import type { Report } from '../report.ts';
import type { ReportStore } from '../report-store.ts';
import { reportNextSteps } from './show-report.ts';

export function createListReportsOperation({
  store,
}: {
  readonly store: Pick<ReportStore, 'list' | 'listNames'>;
}): Operation {
  return defineLocal({
    name: 'report list',
    heading: 'Reports',
    summary: 'List the scheduled reports',
    arguments: {},
    button: 'Show',
    right: 'view',
    async run(context) {
      const { teamId } = context.actor;
      const [all, names] = await Promise.all([store.list(teamId), store.listNames(teamId)]);
      const labelVps = createVpsLabeler(all.length > 0 ? await loadVpsLabels(context) : new Map());
      return formatMonitorList(all, {
        kind: 'report',
        names,
        emptyTitle: 'There are no scheduled reports',
        columns: ['Next', 'Schedule', 'About'],
        toCells: (report) => [
          formatNextTime(report),
          formatWhen(report.timing),
          labelVps(formatScope(report)),
        ],
        toNotes: (report) => pauseNotes(report, 'report'),
        nextSteps: ({ name, state }) => reportNextSteps(name, state.kind === 'paused'),
        addStep,
      });
    },
  });
}

const addStep: NextStep = { label: 'Schedule a Report', operation: 'report add', input: {}, opensForm: true };

function formatScope({ content }: Report): string {
  const { about, vps } = reportContent.safeParse(content).data ?? { about: 'fleet', vps: '*' };
  if (about === 'vps') return `${vps} in depth`;
  return formatPatterns(vps);
}

function formatNextTime({ state, timing }: Report): Value {
  if (state.kind === 'active')
    return state.nextMs === null
      ? timing.kind === 'once'
        ? 'done'
        : 'never'
      : { kind: 'time', timeMs: state.nextMs };
  return 'paused';
}
