import type { MultiSelect, Option, OptionGroup, Select } from '@slack/types';
import { type Choice, type ChoiceGroup, choiceOf, groupsOf, matching } from '../combobox/choices.ts';
import type { Source } from '../combobox/use-found.ts';
import type { Named, Names, Surface } from '../surface.ts';

export type Menu = Select | MultiSelect;

/** How a menu calls what is chosen in `state.values`, and what is chosen in it at first. */
export interface MenuFacts {
  readonly field: string;
  readonly initial: readonly (string | Option)[];
  readonly isMultiple: boolean;
}

/** Slack's default for `min_query_length`: docs.slack.dev/reference/block-kit/block-elements/select-menu-element. */
const defaultMinChars = 3;

/** Tells a menu's field and first choice by its `type`. */
export function menuFacts(menu: Menu): MenuFacts {
  switch (menu.type) {
    case 'static_select':
    case 'external_select':
      return one('selected_option', menu.initial_option);
    case 'users_select':
      return one('selected_user', menu.initial_user);
    case 'channels_select':
      return one('selected_channel', menu.initial_channel);
    case 'conversations_select':
      return one('selected_conversation', menu.initial_conversation);
    case 'multi_static_select':
    case 'multi_external_select':
      return many('selected_options', menu.initial_options);
    case 'multi_users_select':
      return many('selected_users', menu.initial_users);
    case 'multi_channels_select':
      return many('selected_channels', menu.initial_channels);
    case 'multi_conversations_select':
      return many('selected_conversations', menu.initial_conversations);
  }
}

function one(field: string, initial: string | Option | undefined): MenuFacts {
  return { field, initial: initial === undefined ? [] : [initial], isMultiple: false };
}

function many(field: string, initial: readonly (string | Option)[] | undefined): MenuFacts {
  return { field, initial: initial ?? [], isMultiple: true };
}

/** Tells where a menu's choices come from. */
export function menuSource(menu: Menu, blockId: string, surface: Surface): Source {
  switch (menu.type) {
    case 'static_select':
    case 'multi_static_select':
      return local(groupsOf(menu));
    case 'external_select':
    case 'multi_external_select':
      return {
        kind: 'remote',
        minChars: menu.min_query_length ?? defaultMinChars,
        find: (text) => offered(surface, blockId, menu.action_id ?? '', text),
      };
    case 'users_select':
    case 'multi_users_select':
      return local([{ choices: surface.names.people.map(named) }]);
    case 'channels_select':
    case 'multi_channels_select':
      return local([{ choices: surface.names.channels.map(named) }]);
    case 'conversations_select':
    case 'multi_conversations_select':
      return local([{ choices: conversations(surface.names, menu.filter).map(named) }]);
  }
}

function local(groups: readonly ChoiceGroup[]): Source {
  return { kind: 'local', find: (text) => matching(groups, text) };
}

async function offered(
  surface: Surface,
  blockId: string,
  actionId: string,
  text: string,
): Promise<ChoiceGroup[]> {
  const answer = await surface.suggest(blockId, actionId, text);
  if (answer.error !== undefined) throw new Error(answer.error);
  const { options, option_groups: groups } = answer;
  return groupsOf({
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

type Filter = NonNullable<Extract<Menu, { filter?: unknown }>['filter']>;

function conversations({ conversations: all }: Names, filter: Filter | undefined): readonly Named[] {
  if (!filter) return all;
  const { include, exclude_bot_users: withoutBots, exclude_external_shared_channels: withoutShared } = filter;
  return all.filter(
    ({ kind, isShared, isWithBot }) =>
      (!include || include.includes(kind)) && !(withoutShared && isShared) && !(withoutBots && isWithBot),
  );
}

function named({ id, label, hint }: Named): Choice {
  return { value: id, label, description: hint };
}

/** Reads what is chosen in a menu: options as they are, ids by their names. */
export function chosenIn(menu: Menu, held: unknown, { names }: Surface): Choice[] {
  return [held ?? []].flat().flatMap((item: unknown) => {
    if (isOption(item)) return [choiceOf(item)];
    if (typeof item !== 'string') return [];
    const isPerson = menu.type.endsWith('users_select');
    const all: readonly Named[] = [...names.people, ...names.channels, ...names.conversations];
    const found = all.find(({ id }) => id === item);
    return [{ value: item, label: found?.label ?? (isPerson ? names.user(item) : names.channel(item)) }];
  });
}
