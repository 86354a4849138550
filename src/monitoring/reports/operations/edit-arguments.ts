import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { toEditArgument } from '../../shared/monitor/edit-arguments.ts';
import { planArguments } from '../planning/plan-arguments.ts';
import { reportArgument } from '../planning/report-arguments.ts';

/**
 * The arguments of an edit: the report and the new values. Undefined keeps a value, and `null`
 * removes it.
 */
export function editArguments(reports: ChoiceSource) {
  const { every, at, name, ...others } = planArguments;
  return {
    name: reportArgument(reports),
    every: toEditArgument({ ...every, flag: 'every' }),
    days: toEditArgument(others.days),
    day: toEditArgument(others.day),
    cron: toEditArgument(others.cron),
    at: toEditArgument({ ...at, flag: 'at' }),
    zone: toEditArgument(others.zone),
    channel: toEditArgument(others.channel),
    what: toEditArgument(others.what),
    vps: toEditArgument(others.vps),
    about: toEditArgument(others.about),
    post: toEditArgument(others.post),
    thresholds: toEditArgument(others.thresholds),
    quiet: toEditArgument(others.quiet),
    rename: toEditArgument({ ...name, hint: 'The new name.' }),
  };
}
