import type { App, types } from '@slack/bolt';
import type { Secret } from '../../operations/outcome.ts';
import type { Run } from '../../operations/runs/run.ts';
import { actionIds } from '../actions.ts';
import { createOnClick } from '../clicks.ts';
import { heading, mrkdwn, notes } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import type { Message } from '../render/message.ts';
import { renderOutcome } from '../render/outcome.ts';
import { renderProblem } from '../render/problem.ts';
import { plain } from '../render/text.ts';
import { messageView } from '../view-reply.ts';
import type { ListenerParts } from './parts.ts';

const viewTitle = 'Shown once';

const nothingToShow =
  'There is nothing to show any more. Only whoever asked can see this, once, within 15 minutes. Ask for it anew if you still need it.';

const keepIt = 'Copy it now: it was deleted here as it was shown, and nobody can show it again.';

/** Listens to the button that shows secrets: to whoever asked, once, in a view that nobody else sees. */
export function listenToSecrets(app: App, parts: ListenerParts): void {
  const { secrets, runner, catalogue, clients, runMessages } = parts;
  const onClick = createOnClick(app, parts);

  onClick(actionIds.secret, async (id, asking) => {
    const { asker, reply, triggerId = '', view } = asking;
    const client = await clients(asker.teamId);
    const opening = { trigger_id: triggerId, view: secretView([mrkdwn('⏳ One moment…')]) };
    // A trigger that has expired fails here, before anything is deleted.
    const opened = await (view ? client.views.push(opening) : client.views.open(opening));
    const view_id = opened.view?.id ?? '';
    const taken = await secrets.take(id, asker);
    if (!taken) {
      await client.views.update({ view_id, view: secretView([mrkdwn(nothingToShow)]) });
      return;
    }
    const run = await runner.find(taken.runId, asker);
    const operation = run && catalogue.find(run.operation);
    const problem = operation && (await runner.refusalOf(asking, operation, run.input));
    if (problem) {
      await taken.putBack();
      await client.views.update({ view_id, view: messageView(viewTitle, renderProblem(problem)) });
      return;
    }
    try {
      await client.views.update({ view_id, view: secretView(secretBlocks(taken.secrets)) });
    } catch (error) {
      await taken.putBack();
      throw error;
    }
    const shown = run && (await withoutButton(run));
    if (shown && !view) await reply.replace(shown);
  });

  /** Shows the run, or its answer, as before but for the button. */
  async function withoutButton(run: Run): Promise<Message | undefined> {
    if (run.result?.kind !== 'outcome') return undefined;
    const { kept, ...rest } = run.result.outcome;
    const outcome = { ...rest, notes: [...(rest.notes ?? []), `${kept?.labels.join(', ')}: shown.`] };
    const isPublic = run.message !== null;
    if (!isPublic) return renderOutcome(outcome, { runId: run.id });
    return runMessages.of({ ...run, result: { kind: 'outcome', outcome } });
  }
}

function secretView(blocks: types.KnownBlock[]): types.ModalView {
  const title = plain(viewTitle, limits.viewTitleChars);
  return { type: 'modal', title, close: plain('Done', limits.viewTitleChars), blocks };
}

/** What the view holds of secrets: the rest is for what is around them, and for how JSON writes them. */
const mostSecretBytes = limits.viewBytes / 2;

/** Writes each secret so that it can be copied whole, nothing in it being markup, as many as the view holds. */
function secretBlocks(secrets: readonly Secret[]): types.KnownBlock[] {
  let bytes = 0;
  const shown = secrets.slice(0, limits.viewBlocks / 2 - 1).filter(({ value }) => {
    bytes += Buffer.byteLength(JSON.stringify(value));
    return bytes <= mostSecretBytes;
  });
  const left = secrets.length - shown.length;
  const fields = shown.flatMap(({ label, value }) => [
    heading(label),
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
    ...notes([keepIt, ...(left > 0 ? [`${left} more are not shown: a view cannot hold them.`] : [])]),
    ...fields,
  ];
}
