import { vpsChoices, vpsReferenceSchema } from '../../../operations/choices/sources/vps.ts';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../../../operations/define/arguments/optional-argument.ts';
import { planArgument, planNameSchema } from '../../../plans/plan-name.ts';
import { vpsPatternArgument } from '../../shared/vps-pattern-argument.ts';

/** Selects which VPS a report covers. */
export const reportVpsArgument: typeof vpsPatternArgument = { ...vpsPatternArgument, flag: 'vps' };

/** Selects the VPS that a report examines in depth. */
export const aboutArgument = optionalArgument(
  {
    label: 'VPS in depth',
    example: 'VPS-10001',
    flag: 'about',
    valueName: 'vps',
    hint: 'One VPS, with its CPU, memory, disk and network.',
    control: { kind: 'remote', source: vpsChoices },
  },
  vpsReferenceSchema,
);

/** Selects a report by name. */
export function reportArgument(reports: ChoiceSource): Argument<string> {
  return planArgument('report', 'Fleet, daily', reports);
}

/** Selects a report, or none. */
export function optionalReportArgument(reports: ChoiceSource): Argument<string | undefined> {
  return optionalArgument(reportArgument(reports), planNameSchema('report'));
}
