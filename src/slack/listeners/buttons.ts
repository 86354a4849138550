import type { App } from '@slack/bolt';
import { actionIds, readChooseBlock, readStep } from '../actions.ts';
import type { Asking } from '../asking.ts';
import { createOnClick } from '../clicks.ts';
import { renderOutcome } from '../render/outcome.ts';
import { renderProblem } from '../render/problem.ts';
import type { ListenerParts } from './parts.ts';
import { listenToTypedConfirmations } from './typed-confirmation.ts';

/** Listens to the buttons and selects of messages, and of the views that stand for messages. */
export function listenToButtons(app: App, parts: ListenerParts): void {
  const { runner, catalogue, dispatch, withNames } = parts;
  const onClick = createOnClick(app, parts);

  /** Shows a page of the outcome of a run of the asker's own, as long as they may run it. */
  async function outcomeOf(value: string, asking: Asking, isForAll: boolean) {
    const [runId = '', page = '0'] = value.split(':');
    const run = await runner.find(runId, asking.asker);
    const operation = run && catalogue.find(run.operation);
    if (!operation || run.result?.kind !== 'outcome') return undefined;
    const problem = await runner.refusalOf(asking, operation, run.input);
    if (problem) {
      await asking.reply.tell(renderProblem(problem));
      return undefined;
    }
    const { kept, ...outcome } = run.result.outcome;
    if (isForAll) return renderOutcome(await withNames(outcome, asking.asker.teamId), { page: Number(page) });
    return renderOutcome({ ...outcome, ...(kept && { kept }) }, { page: Number(page), runId });
  }

  onClick(actionIds.confirm, (token, asking) => dispatch.confirm(token, asking));

  listenToTypedConfirmations(app, parts);

  onClick(actionIds.cancel, async (token, { asker, reply }) => {
    await runner.cancel(token, asker);
    await reply.remove();
  });

  onClick(actionIds.step, (value, asking) => dispatch.step(readStep(value), asking));

  onClick(actionIds.page, async (value, asking) => {
    const message = await outcomeOf(value, asking, false);
    if (message) await asking.reply.replace(message);
  });

  onClick(actionIds.share, async (value, asking) => {
    const message = await outcomeOf(value, asking, true);
    if (!message) return;
    await asking.reply.tellAll(message);
    await asking.reply.remove();
  });

  const inMessage = { action_id: actionIds.remote, block_id: /^\{/ };
  onClick(inMessage, async (value, asking, { blockId }) => {
    const next = readChooseBlock(blockId);
    const operation = next && catalogue.find(next.operation);
    if (!operation) return;
    await dispatch.run(operation, { ...next.input, [next.argument]: value }, asking);
  });
}
