import { z } from 'zod';
import { type Argument, textArgument } from '../../operations/argument.ts';
import { type Right, rights } from '../../operations/right.ts';
import { grantee } from './grantee.ts';
import { everything, vpsPattern } from './pattern.ts';

/** Separates what several of are given. */
const separators = /[\s,]+/;

/** Most that one grant is given to, or is for: more is better a group, or a pattern. */
const mostAtOnce = 20;

/** Takes the words of a text, each by itself, and writes them again with a space between. */
function several(one: z.ZodType<string, string>, noun: string): z.ZodType<string> {
  return z
    .string({ error: `Name ${noun}` })
    .transform((text) => text.split(separators).filter((word) => word !== ''))
    .pipe(z.array(one).max(mostAtOnce, { error: `At most ${mostAtOnce} at once` }))
    .transform((values) => [...new Set(values)].join(' '));
}

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
    several(vpsPattern, 'a VPS').transform((text) =>
      wordsOf(text).includes(everything) || (text === '' && initial === everything) ? everything : text,
    ),
  );
}

/** Takes what such an argument gives apart. */
export function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
