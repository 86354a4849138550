import { formatList } from '../../../format-list.ts';
import { type Argument, type ArgumentTexts, choiceArgument } from '../../define/arguments/argument.ts';
import type { ChoiceSource } from '../../define/arguments/choice-source.ts';

type OpenChoice = ArgumentTexts & {
  /** The name of the choice source. */
  readonly name: string;
  /** The noun with its article: "a mode". */
  readonly noun: string;
  /** The known values. The first is the default. */
  readonly options: readonly [string, ...string[]];
};

/**
 * Creates an argument that offers the known values, but accepts any other word too, even in forms.
 */
export function openChoiceArgument({ name, noun, options, ...texts }: OpenChoice): Argument<string> {
  const source: ChoiceSource = {
    name,
    noun,
    acceptsOther: true,
    formatNotFound: (value) => `${value} isn't a value that Rackhand knows.`,
    load: async () => ({ choices: options.map((value) => ({ value, text: value })), isComplete: false }),
  };
  const hint = [`Such as ${formatList(options, 'or')}.`, texts.hint].join(' ').trim();
  return { ...choiceArgument({ options, ...texts, hint }), control: { kind: 'remote', source } };
}
