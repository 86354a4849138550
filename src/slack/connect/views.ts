import type { types, ViewOutput } from '@slack/bolt';
import { defaultLimit } from '../../hosting/quota/quota.ts';
import type { KeptKey } from '../../workspaces/api-key-store.ts';
import { type KeyProblems, mostKeyChars, mostLimit } from '../../workspaces/connection/given-key.ts';
import { mrkdwn, notes } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { renderNotice } from '../render/notice.ts';
import { plain } from '../render/text.ts';
import { messageView } from '../view-reply.ts';
import type { Place } from './place.ts';

/** Callback ids of the dialogs. */
export const connectionCallbackIds = { key: 'connection:key', disconnect: 'connection:disconnect' } as const;

/** Blocks of the fields, and the id of the element in each. */
const fields = { apiKey: 'api_key', limit: 'limit' } as const;
const valueAction = 'value';

const whereKeysAre =
  'Create an API key in the dashboard of the hosting service, under `/services/addons/api-access`, with the permissions that your team is to have.';

/** Slack has no field that hides what is typed. */
const keyHint =
  'Slack has no password field: mind who sees your screen. The key is kept encrypted, and stands in no message, no log and no record.';

const limitHint = `As the service gave it to the key; ${defaultLimit} unless it says otherwise.`;

const whatBecomesOfRuns =
  'What waits for its turn goes on with the new key. The quota counts anew with it: what the old key has used does not weigh on the new one.';

const oldStays = 'It stays until the new one has been tried and accepted.';

/** Titles of the dialogs. */
export const titles = {
  connect: 'Connect',
  rotate: 'Replace the API key',
  disconnect: 'Disconnect',
} as const;

interface KeyForm {
  readonly kept: KeptKey | undefined;
  /** What is wrong with the key that was sent before. The key itself is not shown again. */
  readonly why?: string;
  readonly limit?: number;
}

/** Builds the dialog that asks for a key. */
export function keyView(place: Place, { kept, why, limit = kept?.limit }: KeyForm): types.ModalView {
  return {
    type: 'modal',
    callback_id: connectionCallbackIds.key,
    private_metadata: JSON.stringify(place satisfies Place),
    title: plain(titles[place.act], limits.viewTitleChars),
    submit: plain(kept ? 'Replace Key' : 'Connect', limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      mrkdwn(kept ? `${presentWords(kept)} ${oldStays}` : whereKeysAre),
      {
        type: 'input',
        block_id: fields.apiKey,
        label: plain(kept ? 'New API key' : 'API key', limits.labelChars),
        hint: plain(keyHint, limits.hintChars),
        element: {
          type: 'plain_text_input',
          action_id: valueAction,
          max_length: mostKeyChars,
          focus_on_load: true,
        },
      },
      ...notes(why ? [`⚠️ ${why}`] : []),
      {
        type: 'input',
        block_id: fields.limit,
        optional: true,
        label: plain('Requests in any 60 seconds', limits.labelChars),
        hint: plain(limitHint, limits.hintChars),
        element: {
          type: 'number_input',
          action_id: valueAction,
          is_decimal_allowed: false,
          min_value: '1',
          max_value: String(mostLimit),
          initial_value: String(limit ?? defaultLimit),
        },
      },
      ...notes(kept ? [whatBecomesOfRuns] : []),
    ],
  };
}

/** Builds what stands there while a key is tried. */
export function checkingView(title: string): types.ModalView {
  return messageView(
    title,
    renderNotice('⏳ Checking the key… You can close this: a message tells how it ends.'),
  );
}

/** Reads what was filled in. */
export function readKeyForm(
  values: ViewOutput['state']['values'],
): Record<keyof typeof fields, string | undefined> {
  const text = (block: string) => values[block]?.[valueAction]?.value ?? undefined;
  return { apiKey: text(fields.apiKey), limit: text(fields.limit) };
}

/** Puts what is wrong beside the fields. */
export function keyErrors({ apiKey, limit }: KeyProblems): Record<string, string> {
  return { ...(apiKey && { [fields.apiKey]: apiKey }), ...(limit && { [fields.limit]: limit }) };
}

/** Builds the dialog that asks before the key is deleted. */
export function disconnectView(place: Place, kept: KeptKey): types.ModalView {
  return {
    type: 'modal',
    callback_id: connectionCallbackIds.disconnect,
    private_metadata: JSON.stringify(place satisfies Place),
    title: plain(titles.disconnect, limits.viewTitleChars),
    submit: plain('Disconnect', limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      mrkdwn(`*Delete the API key of this workspace?*\n${presentWords(kept)}`),
      ...notes([
        'Nothing works until somebody connects a key again. What waits for its turn is not sent.',
        'The key itself stays valid: revoke it in the dashboard of the hosting service if nobody is to use it any more.',
        ...(kept.connectedBy === null
          ? [
              'It comes from the setting HOSTING_API_KEY: take it out there too, or the next start connects it again.',
            ]
          : []),
      ]),
    ],
  };
}

function presentWords({ connectedBy, connectedMs }: KeptKey): string {
  const date = `<!date^${Math.floor(connectedMs / 1000)}^{date_short} at {time}|${new Date(connectedMs).toISOString().slice(0, 10)}>`;
  const by = connectedBy === null ? 'came from the settings' : `was connected by <@${connectedBy}>`;
  return `The present key ${by} on ${date}.`;
}
