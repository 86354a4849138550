import { z } from 'zod';
import { once } from '../../once.ts';
import { confirm, conversationFilter, exactlyOneOf, option, optionFields } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { id, plainText } from '../text-objects.ts';
import { refineInitialOptions } from './initial-options.ts';

const menu = once(() => ({
  action_id: id().optional(),
  placeholder: plainText(limits.placeholderChars).optional(),
  confirm: confirm().optional(),
  focus_on_load: z.boolean().optional(),
}));

const multiMenu = once(() => ({ ...menu(), max_selected_items: z.int().min(1).optional() }));

const responseUrl = once(() => ({ response_url_enabled: z.boolean().optional() }));

const conversations = once(() => ({
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter().optional(),
}));

const minQueryLength = once(() => ({ min_query_length: z.int().min(0).optional() }));

export const staticSelect = once(() =>
  z
    .strictObject({
      type: z.literal('static_select'),
      ...menu(),
      ...optionFields(),
      initial_option: option().optional(),
    })
    .refine(...exactlyOneOf('options', 'option_groups'))
    .superRefine(refineInitialOptions),
);

export const multiStaticSelect = once(() =>
  z
    .strictObject({
      type: z.literal('multi_static_select'),
      ...multiMenu(),
      ...optionFields(),
      initial_options: z.array(option()).min(1).optional(),
    })
    .refine(...exactlyOneOf('options', 'option_groups'))
    .superRefine(refineInitialOptions),
);

export const externalSelect = once(() =>
  z.strictObject({
    type: z.literal('external_select'),
    ...menu(),
    ...minQueryLength(),
    initial_option: option().optional(),
  }),
);

export const multiExternalSelect = once(() =>
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...multiMenu(),
    ...minQueryLength(),
    initial_options: z.array(option()).min(1).optional(),
  }),
);

export const usersSelect = once(() =>
  z.strictObject({
    type: z.literal('users_select'),
    ...menu(),
    initial_user: id().optional(),
  }),
);

export const multiUsersSelect = once(() =>
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...multiMenu(),
    initial_users: z.array(id()).optional(),
  }),
);

export const conversationsSelect = once(() =>
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu(),
    ...responseUrl(),
    ...conversations(),
    initial_conversation: id().optional(),
  }),
);

export const multiConversationsSelect = once(() =>
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...multiMenu(),
    ...conversations(),
    initial_conversations: z.array(id()).optional(),
  }),
);

export const channelsSelect = once(() =>
  z.strictObject({
    type: z.literal('channels_select'),
    ...menu(),
    ...responseUrl(),
    initial_channel: id().optional(),
  }),
);

export const multiChannelsSelect = once(() =>
  z.strictObject({
    type: z.literal('multi_channels_select'),
    ...multiMenu(),
    initial_channels: z.array(id()).optional(),
  }),
);
