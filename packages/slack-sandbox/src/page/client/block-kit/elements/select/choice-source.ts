import type { MultiSelect, Option, OptionGroup, Select } from '@slack/types';
import {
  type Choice,
  type ChoiceGroup,
  filterChoices,
  toChoice,
  toChoiceGroups,
} from '../../combobox/choices.ts';
import type { ChoiceSource } from '../../combobox/use-choice-results.ts';
import type { DisplayNames, NamedEntity, Surface } from '../../surface.ts';

export type SelectMenu = Select | MultiSelect;

/** The place of a menu's value in `state.values`, and its initial value. */
export interface SelectMenuConfig {
  readonly field: string;
  readonly initial: readonly (string | Option)[];
  readonly isMultiple: boolean;
}

/** Slack's default for `min_query_length`: docs.slack.dev/reference/block-kit/block-elements/select-menu-element. */
const defaultMinChars = 3;

/**
 * Returns where a menu's value is in `state.values`, and its initial value. Both depend on the
 * menu's `type`.
 */
export function selectMenuConfig(menu: SelectMenu): SelectMenuConfig {
  switch (menu.type) {
    case 'static_select':
    case 'external_select':
      return singleSelectConfig('selected_option', menu.initial_option);
    case 'users_select':
      return singleSelectConfig('selected_user', menu.initial_user);
    case 'channels_select':
      return singleSelectConfig('selected_channel', menu.initial_channel);
    case 'conversations_select':
      return singleSelectConfig('selected_conversation', menu.initial_conversation);
    case 'multi_static_select':
    case 'multi_external_select':
      return multiSelectConfig('selected_options', menu.initial_options);
    case 'multi_users_select':
      return multiSelectConfig('selected_users', menu.initial_users);
    case 'multi_channels_select':
      return multiSelectConfig('selected_channels', menu.initial_channels);
    case 'multi_conversations_select':
      return multiSelectConfig('selected_conversations', menu.initial_conversations);
  }
}

function singleSelectConfig(field: string, initial: string | Option | undefined): SelectMenuConfig {
  return { field, initial: initial === undefined ? [] : [initial], isMultiple: false };
}

function multiSelectConfig(
  field: string,
  initial: readonly (string | Option)[] | undefined,
): SelectMenuConfig {
  return { field, initial: initial ?? [], isMultiple: true };
}

/** Returns the source of a menu's choices. */
export function createChoiceSource(menu: SelectMenu, blockId: string, surface: Surface): ChoiceSource {
  switch (menu.type) {
    case 'static_select':
    case 'multi_static_select':
      return createLocalSource(toChoiceGroups(menu));
    case 'external_select':
    case 'multi_external_select':
      return {
        kind: 'remote',
        minChars: menu.min_query_length ?? defaultMinChars,
        find: (text) => suggestChoices(surface, blockId, menu.action_id ?? '', text),
      };
    case 'users_select':
    case 'multi_users_select':
      return createLocalSource([{ choices: surface.names.people.map(toNamedChoice) }]);
    case 'channels_select':
    case 'multi_channels_select':
      return createLocalSource([{ choices: surface.names.channels.map(toNamedChoice) }]);
    case 'conversations_select':
    case 'multi_conversations_select':
      return createLocalSource([
        { choices: filterConversations(surface.names, menu.filter).map(toNamedChoice) },
      ]);
  }
}

function createLocalSource(groups: readonly ChoiceGroup[]): ChoiceSource {
  return { kind: 'local', find: (text) => filterChoices(groups, text) };
}

async function suggestChoices(
  surface: Surface,
  blockId: string,
  actionId: string,
  text: string,
): Promise<ChoiceGroup[]> {
  const answer = await surface.suggest(blockId, actionId, text);
  if (answer.error !== undefined) throw new Error(answer.error);
  const { options, option_groups: groups } = answer;
  return toChoiceGroups({
    options: options?.filter(isOption),
    option_groups: groups?.filter(isGroup),
  });
}

function isOption(value: unknown): value is Option {
  return typeof value === 'object' && value !== null && 'text' in value && 'value' in value;
}

function isGroup(value: unknown): value is OptionGroup {
  return typeof value === 'object' && value !== null && 'label' in value && 'options' in value;
}

type Filter = NonNullable<Extract<SelectMenu, { filter?: unknown }>['filter']>;

function filterConversations(
  { conversations: all }: DisplayNames,
  filter: Filter | undefined,
): readonly NamedEntity[] {
  if (!filter) return all;
  const { include, exclude_bot_users: withoutBots, exclude_external_shared_channels: withoutShared } = filter;
  return all.filter(
    ({ kind, isShared, isWithBot }) =>
      (!include || include.includes(kind)) && !(withoutShared && isShared) && !(withoutBots && isWithBot),
  );
}

function toNamedChoice({ id, label, hint }: NamedEntity): Choice {
  return { value: id, label, description: hint };
}

/** Returns the current choices in a menu. Options stay as they are. IDs are shown by name. */
export function readChosen(menu: SelectMenu, held: unknown, { names }: Surface): Choice[] {
  return [held ?? []].flat().flatMap((item: unknown) => {
    if (isOption(item)) return [toChoice(item)];
    if (typeof item !== 'string') return [];
    const isPerson = menu.type.endsWith('users_select');
    const all: readonly NamedEntity[] = [...names.people, ...names.channels, ...names.conversations];
    const found = all.find(({ id }) => id === item);
    return [{ value: item, label: found?.label ?? (isPerson ? names.user(item) : names.channel(item)) }];
  });
}
