import type { Source } from '../operations/sources/source.ts';
import { describeRecurrence } from './schedule/describe-recurrence.ts';
import type { ReportStore } from './schedule/report-store.ts';

/** Creates what the name of a report is chosen from, and looked up in: the reports that are planned in a workspace. */
export function createReportSource(store: Pick<ReportStore, 'list'>): Source {
  return {
    name: 'reports',
    noun: 'a report',
    unknown: (name) => `There is no report called "${name}" here.`,
    async load(_read, _given, _maxAgeMs, teamId = '') {
      const choices = (await store.list(teamId)).map(({ name, recurrence, state }) => ({
        value: name,
        text: name,
        hint: state.kind === 'paused' ? 'rests' : describeRecurrence({ ...recurrence, quiet: [] }),
      }));
      return { choices, isComplete: true };
    },
  };
}
