import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { vpsSelectionSchema } from './vps-selection.ts';

/** Selects the VPS of a report or watch. */
export const vpsPatternArgument = optionalArgument(
  {
    label: 'VPS',
    example: 'web-*,VPS-10001',
    valueName: 'patterns',
    hint: 'Names or patterns with *, separated by commas. Default: all.',
  },
  vpsSelectionSchema,
);
