import type { App } from '@slack/bolt';
import { parseSelectValue } from '../../operations/choices/matching/unlisted-choice.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { parseChooseBlockId, parseStepValue } from '../blocks/elements/buttons.ts';
import { renderNotice } from '../blocks/notice.ts';
import { renderOutcome } from '../blocks/outcome.ts';
import { renderProblem } from '../blocks/problem.ts';
import type { Invocation } from '../invocation.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';
import { listenToTypedConfirmations } from './modals/typed-confirmations.ts';

const replyGoneMessage =
  'This reply is no longer stored. Replies are kept for 30 minutes: run the command again.';

/** Handles the buttons and selects of messages, including messages that are shown in a modal. */
export function listenToMessageButtons(app: App, dependencies: ListenerDependencies): void {
  const { runner, catalogue, dispatch, resolveMentions } = dependencies;
  const onClick = createOnClick(app, dependencies);

  /**
   * Renders a page of an outcome. Only the actor of the run gets it, and only while they are
   * allowed to run its operation.
   */
  async function renderPage(value: string, invocation: Invocation, isPublic: boolean) {
    const [runId = '', page = '0'] = value.split(':');
    const run = await runner.findOwnRun(runId, invocation.actor);
    const operation = run && catalogue.find(run.operation);
    if (!operation) return undefined;
    if (run.result === null && run.status === 'done') {
      await invocation.reply.sendToActor(renderNotice(replyGoneMessage));
      return undefined;
    }
    if (run.result?.kind !== 'outcome') return undefined;
    const problem = await runner.findDenial(invocation, operation, parseInput(operation, run.input));
    if (problem) {
      await invocation.reply.sendToActor(renderProblem(problem));
      return undefined;
    }
    const { secretRef, ...outcome } = run.result.outcome;
    if (isPublic)
      return renderOutcome(await resolveMentions(outcome, invocation.actor.teamId), { page: Number(page) });
    return renderOutcome({ ...outcome, ...(secretRef && { secretRef }) }, { page: Number(page), runId });
  }

  onClick(actionIds.confirm, (token, invocation) => dispatch.confirm(token, invocation));

  listenToTypedConfirmations(app, dependencies);

  onClick(actionIds.cancel, async (token, { actor, reply }) => {
    await runner.cancel(token, actor);
    await reply.remove();
  });

  onClick(actionIds.step, (value, invocation) => dispatch.runStep(parseStepValue(value), invocation));

  onClick(actionIds.page, async (value, invocation) => {
    const message = await renderPage(value, invocation, false);
    if (message) await invocation.reply.replace(message);
  });

  onClick(actionIds.share, async (value, invocation) => {
    const message = await renderPage(value, invocation, true);
    if (!message) return;
    await invocation.reply.sendToChannel(message);
    await invocation.reply.remove();
  });

  const messageSelects = { action_id: actionIds.remoteSelect, block_id: /^\{/ };
  onClick(messageSelects, async (value, invocation, { blockId }) => {
    const chooseStep = parseChooseBlockId(blockId);
    const operation = chooseStep && catalogue.find(chooseStep.operation);
    if (!operation) return;
    const { text, isUnlisted } = parseSelectValue(value);
    const raw = { ...chooseStep.input, [chooseStep.argument]: text };
    await dispatch.run(operation, parseInput(operation, raw), invocation, undefined, isUnlisted);
  });
}
