import type { App, types } from '@slack/bolt';
import type { Secret } from '../../operations/define/outcome.ts';
import type { Run } from '../../runs/run.ts';
import type { RevealResult } from '../../runs/secrets/reveal-secrets.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { headingBlock, mrkdwn, noteBlocks } from '../blocks/elements/blocks.ts';
import { limits } from '../blocks/elements/limits.ts';
import type { Message } from '../blocks/message.ts';
import { renderNotice } from '../blocks/notice.ts';
import { renderOutcome } from '../blocks/outcome.ts';
import { renderProblem } from '../blocks/problem.ts';
import { loadingView, messageView } from '../messages/view-reply.ts';
import { buildModal } from '../modals/modal.ts';
import { openModal, triggerExpiredMessage } from '../modals/open-modal.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const viewTitle = 'Shown once';

const secretGoneMessage =
  "There's nothing left to show: it was already shown, or 15 minutes have passed. Request it again if you still need it.";

/** Notices above a secret. A secret returned by a read can be read again. */
const copyNotices = {
  read: 'Copy it now. To see it again, run the same command again.',
  change: "Copy it now. Rackhand has deleted it and can't show it again.",
} as const;

/** Handles the button that shows secrets to their requester in a modal, once. */
export function listenToSecretButton(app: App, dependencies: ListenerDependencies): void {
  const { revealSecrets, refreshRunMessage, catalogue, clients } = dependencies;
  const onClick = createOnClick(app, dependencies);

  onClick(actionIds.secret, async (click) => {
    const { value: id, actor, reply, view } = click;
    // The modal is opened first, so that no secret is deleted if the trigger has expired.
    const { isOpen, viewId: view_id } = await openModal(clients, click, loadingView(viewTitle));
    if (!isOpen) return reply.sendToActor(renderNotice(triggerExpiredMessage));
    if (view_id === undefined) return;
    const client = await clients(actor.teamId);
    const result = await revealSecrets(id, click);
    if (result.kind !== 'revealed') {
      await client.views.update({ view_id, view: refusalView(result) });
      return;
    }
    const { revealed, run } = result;
    const isRead = run !== undefined && catalogue.find(run.operation)?.kind === 'read';
    const notice = copyNotices[isRead ? 'read' : 'change'];
    try {
      await client.views.update({ view_id, view: secretView(secretBlocks(revealed.secrets, notice)) });
    } catch (error) {
      await revealed.restore();
      throw error;
    }
    if (!run || (await refreshRunMessage(run))) return;
    const shown = renderWithoutButton(run);
    if (shown && !view) await reply.replace(shown);
  });
}

/** Returns a view that explains why there are no secrets to show. */
function refusalView(result: Exclude<RevealResult, { kind: 'revealed' }>): types.ModalView {
  if (result.kind === 'problem') return messageView(viewTitle, renderProblem(result.problem));
  if (result.kind === 'gone') return secretView([mrkdwn(secretGoneMessage)]);
  const owner = `<@${result.ownerId}>`;
  return secretView([mrkdwn(`Only ${owner} can see this, because ${owner} requested it.`)]);
}

/** Renders a reply again, without the button that shows its secrets. */
function renderWithoutButton(run: Run): Message | undefined {
  if (run.status !== 'done' || run.result === null) return undefined;
  const { secretRef, ...rest } = run.result.outcome;
  const outcome = { ...rest, notes: [...(rest.notes ?? []), `${secretRef?.labels.join(', ')}: shown.`] };
  return renderOutcome(outcome, { runId: run.id });
}

const secretView = (blocks: types.KnownBlock[]) => buildModal({ title: viewTitle, blocks, close: 'Done' });

/** Maximum size of the secrets in a modal. Leaves room for the blocks and for escapes in the JSON. */
const maxSecretBytes = limits.viewBytes / 2;

/** Returns the secrets that fit into the modal, as preformatted text for copying. */
function secretBlocks(secrets: readonly Secret[], notice: string): types.KnownBlock[] {
  let bytes = 0;
  const shown = secrets.slice(0, limits.viewBlocks / 2 - 1).filter(({ value }) => {
    bytes += Buffer.byteLength(JSON.stringify(value));
    return bytes <= maxSecretBytes;
  });
  const hiddenCount = secrets.length - shown.length;
  const fields = shown.flatMap(({ label, value }) => [
    headingBlock(label),
    {
      type: 'rich_text' as const,
      elements: [
        {
          type: 'rich_text_preformatted' as const,
          elements: [{ type: 'text' as const, text: value || ' ' }],
        },
      ],
    },
  ]);
  return [
    ...noteBlocks([
      notice,
      ...(hiddenCount > 0 ? [`${hiddenCount} more don't fit in this window and are not shown.`] : []),
    ]),
    ...fields,
  ];
}
