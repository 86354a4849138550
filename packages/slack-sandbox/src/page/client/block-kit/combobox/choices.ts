import type { Option, OptionGroup, Overflow } from '@slack/types';
import { unescapeEntities } from '../../../../mrkdwn/parse-mrkdwn.ts';

/** An entry that can be chosen in a menu. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** The app's original option, if the choice was made from one. */
  readonly option?: Option | Overflow['options'][number];
}

/** Choices, with a heading if they have one. */
export interface ChoiceGroup {
  readonly label?: string;
  readonly choices: readonly Choice[];
}

/** Converts an option to a choice. */
export function toChoice(option: Option): Choice {
  return {
    value: option.value ?? '',
    label: unescapeEntities(option.text.text),
    description: option.description && unescapeEntities(option.description.text),
    option,
  };
}

/** Converts options or option groups to choices. */
export function toChoiceGroups(lists: {
  readonly options?: readonly Option[] | undefined;
  readonly option_groups?: readonly OptionGroup[] | undefined;
}): ChoiceGroup[] {
  if (!lists.option_groups) return [{ choices: (lists.options ?? []).map(toChoice) }];
  return lists.option_groups.map(({ label, options }) => ({
    label: unescapeEntities(label.text),
    choices: options.map(toChoice),
  }));
}

/**
 * Returns the choices whose label or description contains every typed word. Those that begin with
 * the text come first.
 */
export function filterChoices(groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [...groups];
  const words = text.split(/\s+/);
  return groups
    .map((group) => ({
      ...group,
      choices: group.choices.filter((choice) => matchesAllWords(choice, words)).sort(byStart),
    }))
    .filter(({ choices }) => choices.length > 0);

  function byStart(a: Choice, b: Choice): number {
    return Number(b.label.toLowerCase().startsWith(text)) - Number(a.label.toLowerCase().startsWith(text));
  }
}

function matchesAllWords({ label, description = '' }: Choice, words: readonly string[]): boolean {
  const text = `${label} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
