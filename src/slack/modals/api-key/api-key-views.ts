import type { types, ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { formatList } from '../../../format-list.ts';
import { permissions } from '../../../hosting/endpoints/endpoint.ts';
import { defaultQuotaLimit } from '../../../hosting/quota/rate-limiter.ts';
import { type KeyProblems, maxKeyChars, maxLimit } from '../../../workspaces/api-key/api-key-input.ts';
import {
  type ApiKeyManager,
  acceptFewerLabel,
  type KeyAction,
} from '../../../workspaces/api-key/api-key-manager.ts';
import type { StoredKey } from '../../../workspaces/api-key/api-key-store.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { mrkdwn, noteBlocks } from '../../blocks/elements/blocks.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { plainText } from '../../blocks/elements/text.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { loadingView, messageView, updateView } from '../../messages/view-reply.ts';
import type { ModalOpener, ModalOpeners } from '../modal-openers.ts';
import { openModalWithId } from '../open-modal.ts';

export const apiKeyCallbackIds = { key: 'api-key:key', disconnect: 'api-key:disconnect' } as const;

/** Block IDs of the fields. */
const fields = { apiKey: 'api_key', limit: 'limit' } as const;
const acceptFewerBlock = 'accept_fewer';

/** Returns the permissions for reading, or for changes, as the API document names them. */
function listPermissions(kind: 'read' | 'change'): string {
  const names = permissions.filter((name) => name.endsWith('.manage') === (kind === 'change'));
  return formatList(
    names.map((name) => `\`${name}\``),
    'and',
  );
}

const createKeyHint = `Create an API key in the hosting service's dashboard, under \`/services/addons/api-access\`.
*To see everything*, tick ${listPermissions('read')}.
*To change things too*, also tick ${listPermissions('change')}.`;

/** Warns that the key is visible, because Slack has no password fields. */
const keyHint = 'The key is visible while you type. It is stored encrypted, and never posted or logged.';

const limitHint = `The key's quota as set by the service: ${defaultQuotaLimit} unless you were given another number.`;

const queuedRunsNote = 'Queued calls use the new key, with a fresh quota.';

const oldKeyNote = 'It stays in use until the new key has been checked and accepted.';

export const titles = {
  connect: 'Connect',
  rotate: 'Replace the API key',
  disconnect: 'Disconnect',
} as const;

interface KeyForm {
  readonly storedKey: StoredKey | undefined;
  /** Why the submitted key was rejected. The key itself isn't shown again. */
  readonly rejection?: string;
  readonly limit?: number;
}

/** Builds the modal for entering a key. */
export function buildKeyView(
  metadata: ApiKeyMetadata,
  { storedKey, rejection, limit = storedKey?.limit }: KeyForm,
): types.ModalView {
  return {
    type: 'modal',
    callback_id: apiKeyCallbackIds.key,
    private_metadata: JSON.stringify(metadata satisfies ApiKeyMetadata),
    title: plainText(titles[metadata.act], limits.viewTitleChars),
    submit: plainText(storedKey ? 'Replace Key' : 'Connect', limits.viewTitleChars),
    close: plainText('Cancel', limits.viewTitleChars),
    blocks: [
      mrkdwn(storedKey ? `${formatCurrentKey(storedKey)} ${oldKeyNote}` : createKeyHint),
      {
        type: 'input',
        block_id: fields.apiKey,
        label: plainText(storedKey ? 'New API key' : 'API key', limits.labelChars),
        hint: plainText(keyHint, limits.hintChars),
        element: {
          type: 'plain_text_input',
          action_id: actionIds.value,
          max_length: maxKeyChars,
          focus_on_load: true,
        },
      },
      ...noteBlocks(rejection ? [`⚠️ ${rejection}`] : []),
      {
        type: 'input',
        block_id: fields.limit,
        optional: true,
        label: plainText('Requests in any 60 seconds', limits.labelChars),
        hint: plainText(limitHint, limits.hintChars),
        element: {
          type: 'number_input',
          action_id: actionIds.value,
          is_decimal_allowed: false,
          min_value: '1',
          max_value: String(maxLimit),
          initial_value: String(limit ?? defaultQuotaLimit),
        },
      },
      ...(storedKey ? [acceptFewerField(), ...noteBlocks([queuedRunsNote])] : []),
    ],
  };
}

function acceptFewerField(): types.InputBlock {
  const option = { text: plainText(acceptFewerLabel, limits.optionChars), value: 'yes' };
  return {
    type: 'input',
    block_id: acceptFewerBlock,
    optional: true,
    label: plainText('Permissions', limits.labelChars),
    element: { type: 'checkboxes', action_id: actionIds.value, options: [option] },
  };
}

/** Returns whether the person accepts a key that has fewer permissions than Rackhand uses. */
export function acceptsFewerPermissions(values: ViewOutput['state']['values']): boolean {
  return (values[acceptFewerBlock]?.[actionIds.value]?.selected_options ?? []).length > 0;
}

/** Builds the modal shown while a key is checked. */
export function buildCheckingView(title: string): types.ModalView {
  return messageView(
    title,
    renderNotice("⏳ Checking the key… You can close this window. I'll send you the result."),
  );
}

export function parseKeyForm(
  values: ViewOutput['state']['values'],
): Record<keyof typeof fields, string | undefined> {
  const text = (block: string) => values[block]?.[actionIds.value]?.value ?? undefined;
  return { apiKey: text(fields.apiKey), limit: text(fields.limit) };
}

/** Returns errors by block ID, as Slack needs them. */
export function toKeyErrors({ apiKey, limit }: KeyProblems): Record<string, string> {
  return { ...(apiKey && { [fields.apiKey]: apiKey }), ...(limit && { [fields.limit]: limit }) };
}

/** Builds the modal that asks before the key is deleted. */
export function buildDisconnectView(metadata: ApiKeyMetadata, storedKey: StoredKey): types.ModalView {
  return {
    type: 'modal',
    callback_id: apiKeyCallbackIds.disconnect,
    private_metadata: JSON.stringify(metadata satisfies ApiKeyMetadata),
    title: plainText(titles.disconnect, limits.viewTitleChars),
    submit: plainText('Disconnect', limits.viewTitleChars),
    close: plainText('Cancel', limits.viewTitleChars),
    blocks: [
      mrkdwn(`*Delete the API key of this workspace?*\n${formatCurrentKey(storedKey)}`),
      ...noteBlocks([
        'Nothing works until a key is connected again. Queued calls are not sent.',
        "The key itself stays valid. To invalidate it, revoke it in the hosting service's dashboard.",
        ...(storedKey.connectedBy === null
          ? [
              'It was set by HOSTING_API_KEY. Remove that setting too, or the next start connects the key again.',
            ]
          : []),
      ]),
    ],
  };
}

function formatCurrentKey({ connectedBy, connectedMs }: StoredKey): string {
  const date = `<!date^${Math.floor(connectedMs / 1000)}^{date_short} at {time}|${new Date(connectedMs).toISOString().slice(0, 10)}>`;
  const by = connectedBy === null ? 'came from the settings' : `was connected by <@${connectedBy}>`;
  return `The current key ${by} on ${date}.`;
}

/** Key actions that have a modal. */
export const keyActions = ['connect', 'rotate', 'disconnect'] as const satisfies readonly KeyAction[];

/** Schema of a modal's `private_metadata`: its action and origin, but nothing about a key. */
const metadataSchema = z.object({
  act: z.enum(keyActions),
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  responseUrl: z.string().optional(),
});

export type ApiKeyMetadata = z.infer<typeof metadataSchema>;

export function createApiKeyMetadata(act: KeyAction, { origin }: Invocation): ApiKeyMetadata {
  return { act, ...origin };
}

export function parseApiKeyMetadata(text: string): ApiKeyMetadata {
  return metadataSchema.parse(JSON.parse(text));
}

const noKeyMessage = 'This workspace has no API key, so there is nothing to delete.';

/** Creates the modals that connect, replace and delete a workspace's API key. */
export function createApiKeyModals(apiKeys: ApiKeyManager, clients: SlackClients): ModalOpeners {
  /** Builds the modal or, if the person isn't allowed to use it, a modal with the reason. */
  async function buildView(action: KeyAction, invocation: Invocation): Promise<types.ModalView> {
    const { actor, origin } = invocation;
    const problem = await apiKeys.findDenial(action, actor, origin);
    if (problem) return messageView(titles[action], renderProblem(problem));
    const storedKey = await apiKeys.describe(actor.teamId);
    const metadata = createApiKeyMetadata(action, invocation);
    if (action !== 'disconnect') return buildKeyView(metadata, { storedKey });
    return storedKey
      ? buildDisconnectView(metadata, storedKey)
      : messageView(titles[action], renderNotice(noKeyMessage));
  }

  /** The modal opens before the person's access is checked, because a trigger is valid for only 3 s. */
  const createOpener =
    (action: KeyAction): ModalOpener =>
    async (invocation) => {
      const { view: requestView } = invocation;
      const opened = requestView?.id
        ? { isOpen: true, viewId: requestView.id }
        : await openModalWithId(clients, invocation, loadingView(titles[action]));
      if (!opened.isOpen || opened.viewId === undefined) return opened.isOpen;
      const view = await buildView(action, invocation);
      await updateView(clients, invocation.actor, opened.viewId, view);
      return true;
    };

  return new Map(keyActions.map((action) => [action, createOpener(action)]));
}
