import type { types } from '@slack/bolt';
import { formatHeldRight, type GrantGroup, groupGrants } from '../../../auth/grants/format-access.ts';
import type { ChannelLimit, Grant } from '../../../auth/grants/grant-store.ts';
import { toGranteeKind } from '../../../auth/grants/grantee.ts';
import { formatScope } from '../../../auth/vps-pattern.ts';
import { type Right, rights } from '../../../operations/define/access/right.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { buttonRow, mrkdwn, noteBlocks } from '../../blocks/elements/blocks.ts';
import { button, confirmDialog, withSpokenLabel } from '../../blocks/elements/buttons.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { escapeText, plainText } from '../../blocks/elements/text.ts';
import { accessActionIds, accessCallbackIds, accessFields } from './access-ids.ts';

/** Maximum number of rows in the modal. The reply to a mention lists all rights. */
const maxRows = 80;

const rightDescriptions: Record<Right, string> = {
  view: 'See VPS, graphs, snapshots and settings',
  reveal: 'Also see secrets that the service returns, such as passwords',
  operate: 'Also make changes that lose nothing: reboot, take snapshots, attach',
  destroy: 'Also make changes that can lose data: delete, restore, reinstall',
  admin: 'Also manage rights, the API key and approvals',
};

interface AccessFacts {
  readonly grants: readonly Grant[];
  readonly limits: readonly ChannelLimit[];
}

/**
 * Builds the modal that lists grants and channel limits, each with a button that removes it. `news`
 * is a sentence about a change that was just made.
 */
export function buildAccessView(
  { grants, limits: channels }: AccessFacts,
  labelVps: LabelVps,
  news?: string,
): types.ModalView {
  const rows = [
    ...groupGrants(grants).map((group, index) => grantRow(group, index, labelVps)),
    ...channels.map(({ channel, maxRight }, index) =>
      row(`limit:${index}`, `<#${channel}>   at most *${maxRight}*`, removeLimitButton(channel, maxRight)),
    ),
  ];
  return {
    type: 'modal',
    callback_id: accessCallbackIds.overview,
    title: plainText('Access', limits.viewTitleChars),
    close: plainText('Done', limits.viewTitleChars),
    blocks: [
      ...(news ? [mrkdwn(escapeText(news))] : []),
      mrkdwn(
        '*Owners and admins* of this workspace can do everything. No one else has access beyond this list.',
      ),
      ...rows.slice(0, maxRows),
      ...noteBlocks(
        rows.length > maxRows
          ? [`${rows.length - maxRows} more: mention @Rackhand with “access” to see them.`]
          : [],
      ),
      ...buttonRow([
        button(accessActionIds.openGrant, 'Grant…', 'open', 'primary'),
        button(accessActionIds.openLimit, 'Limit a Channel…', 'open'),
      ]),
    ],
  };
}

function grantRow(group: GrantGroup, index: number, labelVps: LabelVps): types.SectionBlock {
  const { grantee, patterns } = group;
  const scope = labelVps(formatScope(patterns));
  const right = formatHeldRight(group);
  const who = formatGrantee(grantee);
  const revoke = {
    ...withSpokenLabel(
      button(accessActionIds.revoke, 'Revoke', JSON.stringify({ who: grantee, vps: patterns.join(' ') })),
      `Revoke: ${right} on ${scope}`,
    ),
    confirm: confirmDialog('Revoke this?', `“${right}” on ${scope} will be revoked.`, 'Revoke'),
  };
  return row(`grant:${index}`, `${who}   *${right}* on ${escapeText(scope)}`, revoke);
}

function removeLimitButton(channel: string, maxRight: Right): types.Button {
  return {
    ...withSpokenLabel(
      button(accessActionIds.removeLimit, 'Remove Limit', channel),
      `Remove Limit: at most ${maxRight}`,
    ),
    confirm: confirmDialog(
      'Remove this limit?',
      'People will have the same rights in this channel as elsewhere.',
      'Remove',
    ),
  };
}

function row(block_id: string, text: string, accessory: types.Button): types.SectionBlock {
  return { ...mrkdwn(text), block_id, accessory };
}

function formatGrantee(grantee: string): string {
  if (toGranteeKind(grantee) === 'everyone') return '*Every member*';
  return toGranteeKind(grantee) === 'group' ? `<!subteam^${grantee}>` : `<@${grantee}>`;
}

/** Initial values of the grant form. */
export interface GrantDraft {
  readonly people: readonly string[];
  readonly isForEveryone: boolean;
  readonly right: Right | undefined;
  readonly vps: string;
}

export function buildGrantView({ people, isForEveryone, right, vps }: GrantDraft): types.ModalView {
  const everyoneOption = {
    text: plainText('Every member of this workspace', limits.optionChars),
    value: 'everyone',
  };
  return form(accessCallbackIds.grant, 'Grant a right', 'Grant', [
    input(accessFields.people, 'People', {
      type: 'multi_users_select',
      action_id: actionIds.value,
      ...(people.length > 0 && { initial_users: [...people] }),
    }),
    input(accessFields.groups, 'User groups', {
      type: 'multi_external_select',
      action_id: accessActionIds.groups,
      min_query_length: 0,
    }),
    input(accessFields.everyone, 'Or', {
      type: 'checkboxes',
      action_id: actionIds.value,
      options: [everyoneOption],
      ...(isForEveryone && { initial_options: [everyoneOption] }),
    }),
    { ...input(accessFields.right, 'Right', rightsElement(rights, right ?? 'view')), optional: false },
    {
      ...input(accessFields.vps, 'VPS', {
        type: 'plain_text_input',
        action_id: actionIds.value,
        ...(vps && { initial_value: vps }),
      }),
      hint: plainText(
        'Names, or patterns of VPS names where * stands for any characters: web-01 VPS-200*. Leave it empty for everything: all VPS, and commands that involve no VPS.',
        limits.hintChars,
      ),
    },
  ]);
}

export function buildLimitView(channel?: string): types.ModalView {
  return form(accessCallbackIds.limit, 'Limit a channel', 'Limit', [
    mrkdwn('No one can do more than this in the channel, whatever rights they have elsewhere.'),
    {
      ...input(accessFields.channel, 'Channel', {
        type: 'conversations_select',
        action_id: actionIds.value,
        filter: { include: ['public', 'private'] },
        ...(channel !== undefined && /^[CG]/.test(channel) && { initial_conversation: channel }),
      }),
      optional: false,
    },
    {
      ...input(
        accessFields.right,
        'At most',
        rightsElement(
          rights.filter((right) => right !== 'admin'),
          'view',
        ),
      ),
      optional: false,
    },
  ]);
}

function form(
  callback_id: string,
  title: string,
  submit: string,
  blocks: types.KnownBlock[],
): types.ModalView {
  return {
    type: 'modal',
    callback_id,
    title: plainText(title, limits.viewTitleChars),
    submit: plainText(submit, limits.viewTitleChars),
    close: plainText('Cancel', limits.viewTitleChars),
    blocks,
  };
}

function input(block_id: string, label: string, element: types.InputBlock['element']): types.InputBlock {
  return { type: 'input', block_id, optional: true, label: plainText(label, limits.labelChars), element };
}

function rightsElement(offered: readonly Right[], initial: Right): types.RadioButtons {
  const toOption = (right: Right): types.PlainTextOption => ({
    text: plainText(right, limits.optionChars),
    description: plainText(rightDescriptions[right], limits.optionChars),
    value: right,
  });
  return {
    type: 'radio_buttons',
    action_id: actionIds.value,
    options: offered.map(toOption),
    initial_option: toOption(initial),
  };
}
