import { z } from 'zod';
import type { Argument } from './argument.ts';

type ArgumentTexts = Pick<Argument, 'label' | 'example'> &
  Partial<
    Pick<
      Argument,
      | 'hint'
      | 'fieldHint'
      | 'flag'
      | 'recipientFlag'
      | 'valueName'
      | 'takesRemainingWords'
      | 'control'
      | 'initial'
      | 'shownWhen'
    >
  >;

/** Makes an argument optional. An empty form field counts as missing. */
export function optionalArgument<T>(
  texts: ArgumentTexts,
  schema: z.ZodType<T, string>,
): Argument<T | undefined> {
  const isLeftOut = (given: unknown) => typeof given === 'string' && given.trim() === '';
  return {
    control: { kind: 'text' },
    ...texts,
    required: false,
    schema: z.preprocess((given) => (isLeftOut(given) ? undefined : given), schema.optional()),
  };
}

/** Makes an optional argument required in the forms that show it. */
export function requiredInForm<T>(argument: Argument<T>): Argument<T> {
  return { ...argument, required: true };
}
