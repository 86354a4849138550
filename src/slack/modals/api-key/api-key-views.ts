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
import { formatDate, plainText } from '../../blocks/elements/text.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { type Invocation, originSchema } from '../../invocation.ts';
import { loadingView, messageView, updateView } from '../../messages/view-reply.ts';
import { buildModal, inputBlock, readField } from '../modal.ts';
import { openModal } from '../open-modal.ts';

export const apiKeyCallbackId = 'api-key';

const fields = { apiKey: 'api_key', limit: 'limit', acceptFewer: 'accept_fewer' } as const;

/** Lists the permissions for reads or for changes, as named in the API document. */
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

const limitHint = `The key's request quota. It's ${defaultQuotaLimit} unless the service gave you another number.`;

const queuedRunsNote = 'Queued calls use the new key, with a fresh quota.';

const oldKeyNote = 'It stays in use until the new key has been checked and accepted.';

export const titles = { connect: 'Connect', rotate: 'Replace the API key' } as const;

interface KeyForm {
  readonly storedKey: StoredKey | undefined;
  /** Why the submitted key was rejected. The key itself isn't shown again. */
  readonly rejection?: string;
  readonly limit?: number;
}

export function buildKeyView(
  metadata: ApiKeyMetadata,
  { storedKey, rejection, limit = storedKey?.limit }: KeyForm,
): types.ModalView {
  return buildModal({
    title: titles[metadata.act],
    callbackId: apiKeyCallbackId,
    submit: storedKey ? 'Replace Key' : 'Connect',
    metadata,
    blocks: [
      mrkdwn(storedKey ? `${formatCurrentKey(storedKey)} ${oldKeyNote}` : createKeyHint),
      inputBlock({
        blockId: fields.apiKey,
        label: storedKey ? 'New API key' : 'API key',
        hint: keyHint,
        element: {
          type: 'plain_text_input',
          action_id: actionIds.value,
          max_length: maxKeyChars,
          focus_on_load: true,
        },
      }),
      ...noteBlocks(rejection ? [`⚠️ ${rejection}`] : []),
      inputBlock({
        blockId: fields.limit,
        isOptional: true,
        label: 'Requests in any 60 seconds',
        hint: limitHint,
        element: {
          type: 'number_input',
          action_id: actionIds.value,
          is_decimal_allowed: false,
          min_value: '1',
          max_value: String(maxLimit),
          initial_value: String(limit ?? defaultQuotaLimit),
        },
      }),
      ...(storedKey ? [acceptFewerField(), ...noteBlocks([queuedRunsNote])] : []),
    ],
  });
}

function acceptFewerField(): types.InputBlock {
  const option = { text: plainText(acceptFewerLabel, limits.optionChars), value: 'yes' };
  return inputBlock({
    blockId: fields.acceptFewer,
    isOptional: true,
    label: 'Permissions',
    element: { type: 'checkboxes', action_id: actionIds.value, options: [option] },
  });
}

export function buildCheckingView(title: string): types.ModalView {
  return messageView(
    title,
    renderNotice("⏳ Checking the key… You can close this window. I'll send you the result."),
  );
}

export function readKeyForm(view: ViewOutput) {
  return {
    apiKey: readField(view, fields.apiKey)?.value ?? undefined,
    limit: readField(view, fields.limit)?.value ?? undefined,
    /** Whether the key may have fewer permissions than Rackhand uses. */
    acceptsFewerPermissions: (readField(view, fields.acceptFewer)?.selected_options ?? []).length > 0,
  };
}

/** Returns errors by block ID, as Slack needs them. */
export function toKeyErrors({ apiKey, limit }: KeyProblems): Record<string, string> {
  return { ...(apiKey && { [fields.apiKey]: apiKey }), ...(limit && { [fields.limit]: limit }) };
}

function formatCurrentKey({ connectedBy, connectedMs }: StoredKey): string {
  const by = connectedBy === null ? 'was set by HOSTING_API_KEY' : `was connected by <@${connectedBy}>`;
  return `The current key ${by} on ${formatDate(connectedMs, '{date_short} at {time}')}.`;
}

/** A modal's `private_metadata`: its action and origin, but nothing about a key. */
const metadataSchema = originSchema.extend({ act: z.enum(['connect', 'rotate']) });

export type ApiKeyMetadata = z.infer<typeof metadataSchema>;

export function parseApiKeyMetadata(text: string): ApiKeyMetadata {
  return metadataSchema.parse(JSON.parse(text));
}

/**
 * Opens an operation's own modal. Returns false if Slack doesn't allow a modal, for example after a mention. The
 * operation then runs, and its reply has a button that opens the modal.
 */
type ModalOpener = (invocation: Invocation) => Promise<boolean>;

/** Modals that replace operations' forms, by operation name. What people enter is never stored as a run's input. */
export type ModalOpeners = ReadonlyMap<string, ModalOpener>;

export function createApiKeyModals(apiKeys: ApiKeyManager, clients: SlackClients): ModalOpeners {
  /** Builds the modal or, if the person isn't allowed to use it, a modal with the reason. */
  async function buildView(act: KeyAction, { actor, origin }: Invocation): Promise<types.ModalView> {
    const problem = await apiKeys.findDenial(act, actor, origin);
    if (problem) return messageView(titles[act], renderProblem(problem));
    return buildKeyView({ act, ...origin }, { storedKey: await apiKeys.describe(actor.teamId) });
  }

  /** The modal opens before the person's access is checked, because a trigger is valid for only 3 s. */
  const createOpener =
    (act: KeyAction): ModalOpener =>
    async (invocation) => {
      const id = invocation.view?.id;
      const opened =
        id === undefined
          ? await openModal(clients, invocation, loadingView(titles[act]))
          : { isOpen: true, viewId: id };
      if (opened.viewId !== undefined)
        await updateView(clients, invocation.actor, opened.viewId, await buildView(act, invocation));
      return opened.isOpen;
    };

  return new Map([
    ['connect', createOpener('connect')],
    ['rotate', createOpener('rotate')],
  ]);
}
