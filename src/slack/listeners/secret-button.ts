import type { App, types } from '@slack/bolt';
import type { Secret } from '../../operations/define/outcome.ts';
import type { Run } from '../../runs/run.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { headingBlock, mrkdwn, noteBlocks } from '../blocks/elements/blocks.ts';
import { limits } from '../blocks/elements/limits.ts';
import { plainText } from '../blocks/elements/text.ts';
import type { Message } from '../blocks/message.ts';
import { renderOutcome } from '../blocks/outcome.ts';
import { renderProblem } from '../blocks/problem.ts';
import { messageView } from '../messages/view-reply.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const viewTitle = 'Shown once';

const secretGoneMessage =
  "There's nothing left to show. A secret is shown once, only to the person who requested it, for 15 minutes. Request it again if you still need it.";

const copyNowNotice = "Copy it now. It was deleted when it was shown and can't be shown again.";

/** Handles the button that shows secrets to their requester in a modal, once. */
export function listenToSecretButton(app: App, dependencies: ListenerDependencies): void {
  const { revealSecrets, refreshRunMessage, clients } = dependencies;
  const onClick = createOnClick(app, dependencies);

  onClick(actionIds.secret, async (click) => {
    const { value: id, actor, reply, triggerId = '', view } = click;
    const client = await clients(actor.teamId);
    const options = { trigger_id: triggerId, view: secretView([mrkdwn('⏳ One moment…')]) };
    // The modal is opened first. If the trigger has expired, this fails before the secrets are
    // deleted.
    const opened = await (view ? client.views.push(options) : client.views.open(options));
    const view_id = opened.view?.id ?? '';
    const result = await revealSecrets(id, click);
    if (result.kind === 'gone') {
      await client.views.update({ view_id, view: secretView([mrkdwn(secretGoneMessage)]) });
      return;
    }
    if (result.kind === 'problem') {
      await client.views.update({ view_id, view: messageView(viewTitle, renderProblem(result.problem)) });
      return;
    }
    const { revealed, run } = result;
    try {
      await client.views.update({ view_id, view: secretView(secretBlocks(revealed.secrets)) });
    } catch (error) {
      await revealed.restore();
      throw error;
    }
    if (!run) return;
    const isPublic = run.message !== null || run.batchId !== undefined;
    if (isPublic) return refreshRunMessage(run);
    const shown = renderWithoutButton(run);
    if (shown && !view) await reply.replace(shown);
  });
}

/** Renders a reply again, without the button that shows its secrets. */
function renderWithoutButton(run: Run): Message | undefined {
  if (run.status !== 'done' || run.result === null) return undefined;
  const { secretRef, ...rest } = run.result.outcome;
  const outcome = { ...rest, notes: [...(rest.notes ?? []), `${secretRef?.labels.join(', ')}: shown.`] };
  return renderOutcome(outcome, { runId: run.id });
}

function secretView(blocks: types.KnownBlock[]): types.ModalView {
  const title = plainText(viewTitle, limits.viewTitleChars);
  return { type: 'modal', title, close: plainText('Done', limits.viewTitleChars), blocks };
}

/** Maximum size of the secrets in a modal. Leaves room for the blocks and for escapes in the JSON. */
const maxSecretBytes = limits.viewBytes / 2;

/** Returns the secrets that fit into the modal, as preformatted text for copying. */
function secretBlocks(secrets: readonly Secret[]): types.KnownBlock[] {
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
      copyNowNotice,
      ...(hiddenCount > 0 ? [`${hiddenCount} more don't fit in this window and are not shown.`] : []),
    ]),
    ...fields,
  ];
}
