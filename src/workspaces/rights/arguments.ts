import { z } from 'zod';
import { type Argument, textArgument } from '../../operations/argument.ts';
import { type Right, rights } from '../../operations/right.ts';
import { grantee } from './grantee.ts';
import { everything } from './pattern.ts';
import { several, vpsPatterns } from './patterns.ts';

/** Takes people and groups, or every member. */
export function granteesArgument(): Argument<string> {
  const noun = 'a person, a group, or everyone';
  return textArgument(
    {
      label: 'Who',
      example: '@bob',
      hint: 'A person or a user group as Slack offers them after @, or everyone. Several stand in quotes.',
    },
    several(grantee, noun).refine((text) => text !== '', { error: `Name ${noun}` }),
  );
}

/** Takes one of the rights. */
export function rightArgument(hint?: string): Argument<Right> {
  const error = `A right is ${rights.slice(0, -1).join(', ')} or ${rights.at(-1)}`;
  return {
    label: 'Right',
    example: 'change',
    ...(hint && { hint }),
    control: { kind: 'choice', options: rights },
    required: true,
    schema: z.string({ error }).trim().toLowerCase().pipe(z.enum(rights, { error })),
  };
}

/** Takes names of VPS and patterns; `initial` is what leaving it empty means. */
export function patternsArgument(initial: string): Argument<string> {
  return textArgument(
    {
      label: 'VPS',
      example: 'VPS-10001 VPS-200*',
      hint: 'Names, or patterns in which * stands for any characters. Empty: all VPS.',
      initial,
      takesRest: true,
    },
    vpsPatterns.transform((text) => (text === '' && initial === everything ? everything : text)),
  );
}
