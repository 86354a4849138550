import { createStoredEntitySource } from '../../../operations/choices/sources/stored-entities.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { ReportStore } from '../report-store.ts';
import { formatRecurrence } from '../schedule/format-recurrence.ts';

export function createReportChoiceSource({
  list,
  listNames,
}: Pick<ReportStore, 'list' | 'listNames'>): ChoiceSource {
  return createStoredEntitySource({
    name: 'reports',
    noun: 'a report',
    list,
    listNames,
    formatHint: ({ recurrence, state }) =>
      state.kind === 'paused' ? 'paused' : formatRecurrence({ ...recurrence, quiet: [] }),
  });
}
