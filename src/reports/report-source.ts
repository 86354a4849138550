import { createKeptSource } from '../operations/sources/kept.ts';
import type { Source } from '../operations/sources/source.ts';
import { describeRecurrence } from './schedule/describe-recurrence.ts';
import type { ReportStore } from './schedule/report-store.ts';

/** Creates what the name of a report is chosen from, and looked up in: the reports that are planned in a workspace. */
export function createReportSource({ list }: Pick<ReportStore, 'list'>): Source {
  return createKeptSource({
    name: 'reports',
    noun: 'a report',
    list,
    hintOf: ({ recurrence, state }) =>
      state.kind === 'paused' ? 'rests' : describeRecurrence({ ...recurrence, quiet: [] }),
  });
}
