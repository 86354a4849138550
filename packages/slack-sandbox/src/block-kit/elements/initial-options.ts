import type { z } from 'zod';

interface Option {
  readonly text: { readonly text: string };
  readonly value: string;
}

interface OptionChoice {
  readonly options?: readonly Option[] | undefined;
  readonly option_groups?: readonly { readonly options: readonly Option[] }[] | undefined;
  readonly initial_option?: Option | undefined;
  readonly initial_options?: readonly Option[] | undefined;
}

/** Refines a choice so that its initial options must be among its options. */
export function refineInitialOptions(choice: OptionChoice, context: z.RefinementCtx): void {
  const offered = [
    ...(choice.options ?? []),
    ...(choice.option_groups ?? []).flatMap(({ options }) => options),
  ];
  const isOffered = (chosen: Option) =>
    offered.some(({ value, text }) => value === chosen.value && text.text === chosen.text.text);
  const refuse = (path: (string | number)[]) =>
    context.addIssue({ code: 'custom', path, message: 'must match one of the options' });

  if (choice.initial_option && !isOffered(choice.initial_option)) refuse(['initial_option']);
  for (const [index, chosen] of (choice.initial_options ?? []).entries()) {
    if (!isOffered(chosen)) refuse(['initial_options', index]);
  }
}
