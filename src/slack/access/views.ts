import type { types } from '@slack/bolt';
import { type Right, rights } from '../../operations/right.ts';
import { type GrantGroup, groupGrants } from '../../workspaces/rights/describe.ts';
import { kindOf } from '../../workspaces/rights/grantee.ts';
import { scopeWords } from '../../workspaces/rights/pattern.ts';
import type { ChannelLimit, Grant } from '../../workspaces/rights/rights-store.ts';
import { button } from '../actions.ts';
import { buttonRow, mrkdwn, notes } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { escapeText, plain } from '../render/text.ts';
import { accessActions, accessCallbackIds, fields, valueAction } from './ids.ts';

/** Rows that the view shows; the others are in the answer that the typed command gives after a mention. */
const mostRows = 80;

const meanings: Record<Right, string> = {
  look: 'See servers, graphs, snapshots and settings',
  change: 'Also do what loses nothing: reboot, take snapshots, attach',
  destroy: 'Also do what may lose something: delete, restore, reinstall',
  administer: 'Also change rights, the API key and approvals',
};

interface AccessFacts {
  readonly grants: readonly Grant[];
  readonly limits: readonly ChannelLimit[];
}

/** Builds the view that shows who may do what, with a button to take each back. `news`: what has just been done. */
export function accessView({ grants, limits: channels }: AccessFacts, news?: string): types.ModalView {
  const rows = [
    ...groupGrants(grants).map(grantRow),
    ...channels.map(({ channel, most }, index) =>
      row(`limit:${index}`, `<#${channel}>   at most *${most}*`, lift(channel)),
    ),
  ];
  return {
    type: 'modal',
    callback_id: accessCallbackIds.overview,
    title: plain('Access', limits.viewTitleChars),
    close: plain('Done', limits.viewTitleChars),
    blocks: [
      ...(news ? [mrkdwn(escapeText(news))] : []),
      mrkdwn(
        '*Owners and admins* of this workspace may do everything. Nobody else may do anything that is not here.',
      ),
      ...rows.slice(0, mostRows),
      ...notes(
        rows.length > mostRows ? [`${rows.length - mostRows} more: mention the app with “access”.`] : [],
      ),
      ...buttonRow([
        button(accessActions.openGrant, 'Grant…', 'open', 'primary'),
        button(accessActions.openLimit, 'Limit a Channel…', 'open'),
      ]),
    ],
  };
}

function grantRow({ grantee, right, patterns }: GrantGroup, index: number): types.SectionBlock {
  const who = mention(grantee);
  const revoke = {
    ...button(accessActions.revoke, 'Revoke', JSON.stringify({ who: grantee, vps: patterns.join(' ') })),
    confirm: sure('Revoke this?', `“${right}” on ${scopeWords(patterns)} is taken back.`, 'Revoke'),
  };
  return row(`grant:${index}`, `${who}   *${right}* on ${escapeText(scopeWords(patterns))}`, revoke);
}

function lift(channel: string): types.Button {
  return {
    ...button(accessActions.lift, 'Lift Limit', channel),
    confirm: sure('Lift this limit?', 'What people may do elsewhere they may do here too then.', 'Lift'),
  };
}

function row(block_id: string, text: string, accessory: types.Button): types.SectionBlock {
  return { ...mrkdwn(text), block_id, accessory };
}

function sure(title: string, text: string, confirm: string): types.ConfirmationDialog {
  return {
    title: plain(title, 100),
    text: plain(text, 300),
    confirm: plain(confirm, 30),
    deny: plain('Cancel', 30),
    style: 'danger',
  };
}

function mention(grantee: string): string {
  if (kindOf(grantee) === 'everyone') return '*Every member*';
  return kindOf(grantee) === 'group' ? `<!subteam^${grantee}>` : `<@${grantee}>`;
}

/** What a grant is filled in with at first. */
export interface GrantDraft {
  readonly people: readonly string[];
  readonly isForEveryone: boolean;
  readonly right: Right | undefined;
  readonly vps: string;
}

/** Builds the view in which a right is granted. */
export function grantView({ people, isForEveryone, right, vps }: GrantDraft): types.ModalView {
  const everybody = { text: plain('Every member of this workspace', limits.optionChars), value: 'everyone' };
  return form(accessCallbackIds.grant, 'Grant a right', 'Grant', [
    input(fields.people, 'People', {
      type: 'multi_users_select',
      action_id: valueAction,
      ...(people.length > 0 && { initial_users: [...people] }),
    }),
    input(fields.groups, 'User groups', {
      type: 'multi_external_select',
      action_id: accessActions.groups,
      min_query_length: 0,
    }),
    input(fields.everyone, 'Or', {
      type: 'checkboxes',
      action_id: valueAction,
      options: [everybody],
      ...(isForEveryone && { initial_options: [everybody] }),
    }),
    { ...input(fields.right, 'Right', rightsElement(rights, right ?? 'look')), optional: false },
    {
      ...input(fields.vps, 'VPS', {
        type: 'plain_text_input',
        action_id: valueAction,
        ...(vps && { initial_value: vps }),
      }),
      hint: plain(
        'Names, or patterns in which * stands for any characters: VPS-10001 VPS-200*. Empty: all VPS, and what belongs to none.',
        limits.hintChars,
      ),
    },
  ]);
}

/** Builds the view in which a channel is limited. */
export function limitView(channel?: string): types.ModalView {
  return form(accessCallbackIds.limit, 'Limit a channel', 'Limit', [
    mrkdwn('In a limited channel nobody can do more than that, whatever they may do elsewhere.'),
    {
      ...input(fields.channel, 'Channel', {
        type: 'conversations_select',
        action_id: valueAction,
        filter: { include: ['public', 'private'] },
        ...(channel !== undefined && /^[CG]/.test(channel) && { initial_conversation: channel }),
      }),
      optional: false,
    },
    {
      ...input(fields.right, 'At most', rightsElement(['look', 'change', 'destroy'], 'look')),
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
    title: plain(title, limits.viewTitleChars),
    submit: plain(submit, limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks,
  };
}

function input(block_id: string, label: string, element: types.InputBlock['element']): types.InputBlock {
  return { type: 'input', block_id, optional: true, label: plain(label, limits.labelChars), element };
}

function rightsElement(offered: readonly Right[], initial: Right): types.RadioButtons {
  const optionOf = (right: Right): types.PlainTextOption => ({
    text: plain(right, limits.optionChars),
    description: plain(meanings[right], limits.optionChars),
    value: right,
  });
  return {
    type: 'radio_buttons',
    action_id: valueAction,
    options: offered.map(optionOf),
    initial_option: optionOf(initial),
  };
}
