import type { App, BlockAction, ButtonAction, ExternalSelectAction } from '@slack/bolt';
import { actionIds, readChooseBlock, readStep } from '../actions.ts';
import type { Asking } from '../asking.ts';
import { askingOfClick, clickKey } from '../asking-of-click.ts';
import { renderOutcome } from '../render/outcome.ts';
import { renderProblem } from '../render/problem.ts';
import type { ListenerParts } from './parts.ts';
import { listenToTypedConfirmations } from './typed-confirmation.ts';

/** Listens to the buttons and selects of messages, and of the views that stand for messages. */
export function listenToButtons(app: App, parts: ListenerParts): void {
  const { runner, catalogue, dispatch, clients, answering } = parts;

  function on(actionId: string | RegExp, handle: (value: string, asking: Asking) => Promise<void>): void {
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      if (teamId === undefined || action.value === undefined) return;
      const { value } = action;
      answering.later(
        clickKey(body),
        () => askingOfClick(body, teamId, clients),
        (asking) => handle(value, asking),
      );
    });
  }

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
    if (isForAll) return renderOutcome(outcome, { page: Number(page) });
    return renderOutcome({ ...outcome, ...(kept && { kept }) }, { page: Number(page), runId });
  }

  on(actionIds.confirm, dispatch.confirm);

  listenToTypedConfirmations(app, parts);

  on(actionIds.cancel, async (token, { asker, reply }) => {
    await runner.cancel(token, asker);
    await reply.remove();
  });

  on(actionIds.step, (value, asking) => dispatch.step(readStep(value), asking));

  on(actionIds.page, async (value, asking) => {
    const message = await outcomeOf(value, asking, false);
    if (message) await asking.reply.replace(message);
  });

  on(actionIds.share, async (value, asking) => {
    const message = await outcomeOf(value, asking, true);
    if (!message) return;
    await asking.reply.tellAll(message);
    await asking.reply.remove();
  });

  const inMessage = { action_id: actionIds.remote, block_id: /^\{/ };
  app.action<BlockAction<ExternalSelectAction>>(inMessage, async ({ ack, body, action, context }) => {
    await ack();
    const { teamId } = context;
    const next = readChooseBlock(action.block_id);
    const operation = next && catalogue.find(next.operation);
    const value = action.selected_option?.value;
    if (teamId === undefined || !operation || value === undefined) return;
    const input = { ...next.input, [next.argument]: value };
    answering.later(
      clickKey(body),
      () => askingOfClick(body, teamId, clients),
      (asking) => dispatch.run(operation, input, asking),
    );
  });
}
