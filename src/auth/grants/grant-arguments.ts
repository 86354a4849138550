import { z } from 'zod';
import { formatList } from '../../format-list.ts';
import { vpsChoices } from '../../operations/choices/sources/vps.ts';
import { type Right, rights } from '../../operations/define/access/right.ts';
import { type Argument, textArgument } from '../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import { durationSchema } from '../../operations/grammar/duration.ts';
import { dayMs } from '../../time/units.ts';
import { allVps, boundVpsSchema, listSchema, vpsListSchema } from '../vps-pattern.ts';
import { granteeSchema } from './grantee.ts';

/** Creates an argument for people, user groups and `everyone`. A form accepts only one of them. */
export function granteesArgument(source: ChoiceSource): Argument<string> {
  const texts = {
    label: 'Who',
    example: '@bob',
    hint: 'People or user groups from the suggestions after @, or everyone. Put several in quotes.',
    fieldHint: '',
  };
  const schema = listSchema(granteeSchema, source.noun).refine((text) => text !== '', {
    error: `Name ${source.noun}`,
  });
  return { ...textArgument(texts, schema), control: { kind: 'remote', source } };
}

const rightLabels: Readonly<Record<Right, string>> = {
  view: 'view: see VPS, graphs, snapshots and settings',
  reveal: 'reveal: also see secrets that the service returns, such as passwords',
  operate: 'operate: also make changes that lose nothing, such as a reboot',
  destroy: 'destroy: also make changes that can lose data, such as a reinstall',
  admin: 'admin: also manage rights, the API key and approvals',
};

export function rightArgument({
  hint,
  labels,
}: {
  readonly hint?: string;
  /** Labels to show in a form instead of what each right allows. */
  readonly labels?: Partial<typeof rightLabels>;
} = {}): Argument<Right> {
  const error = `Choose ${formatList(rights, 'or')}`;
  return {
    label: 'Right',
    example: 'operate',
    ...(hint && { hint }),
    control: { kind: 'choice', options: rights, labels: { ...rightLabels, ...labels } },
    required: true,
    schema: z.string({ error }).trim().toLowerCase().pipe(z.enum(rights, { error })),
  };
}

/** Creates an argument for names of VPS and patterns of VPS names. `initial` is the value for an empty field. */
export function patternsArgument(initial: string): Argument<string> {
  const argument = textArgument(
    {
      label: 'VPS',
      example: 'web-01 VPS-200*',
      hint: 'Names, or patterns of VPS names in which * matches any characters. Leave empty for all VPS.',
      initial,
      takesRemainingWords: true,
    },
    vpsListSchema(boundVpsSchema).transform((text) => (text === '' && initial === allVps ? allVps : text)),
  );
  return { ...argument, control: { kind: 'vpsWords', source: vpsChoices } };
}

const lengthLimits = durationSchema(60 * 60_000, 90 * dayMs);

/** An argument for how long a right lasts, as typed. Empty if the right doesn't expire. */
export const lengthArgument: Argument<string> = textArgument(
  {
    label: 'For',
    example: '8h',
    flag: 'for',
    hint: 'How long the right lasts, such as 8h or 7d. Leave empty for no expiry.',
    initial: '',
  },
  z
    .string()
    .trim()
    .superRefine((typed, context) => {
      const problem = typed === '' ? undefined : lengthLimits.safeParse(typed).error?.issues[0]?.message;
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
);
