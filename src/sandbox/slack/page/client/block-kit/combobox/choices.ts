import type { Option, OptionGroup, Overflow } from '@slack/types';

/** Something that can be chosen in a menu. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** The option as the app gave it, where it gave one. */
  readonly option?: Option | Overflow['options'][number];
}

/** Choices under a heading, or under none. */
export interface ChoiceGroup {
  readonly label?: string;
  readonly choices: readonly Choice[];
}

/** Reads an option as a choice. */
export function choiceOf(option: Option): Choice {
  return {
    value: option.value ?? '',
    label: option.text.text,
    description: option.description?.text,
    option,
  };
}

/** Reads the two forms in which options are given. */
export function groupsOf(lists: {
  readonly options?: readonly Option[] | undefined;
  readonly option_groups?: readonly OptionGroup[] | undefined;
}): ChoiceGroup[] {
  if (!lists.option_groups) return [{ choices: (lists.options ?? []).map(choiceOf) }];
  return lists.option_groups.map(({ label, options }) => ({
    label: label.text,
    choices: options.map(choiceOf),
  }));
}

/** Keeps the choices that have every typed word in their label or description, those that begin with it first. */
export function matching(groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [...groups];
  const words = text.split(/\s+/);
  return groups
    .map((group) => ({
      ...group,
      choices: group.choices.filter((choice) => hasAll(choice, words)).sort(byStart),
    }))
    .filter(({ choices }) => choices.length > 0);

  function byStart(a: Choice, b: Choice): number {
    return Number(b.label.toLowerCase().startsWith(text)) - Number(a.label.toLowerCase().startsWith(text));
  }
}

function hasAll({ label, description = '' }: Choice, words: readonly string[]): boolean {
  const text = `${label} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
