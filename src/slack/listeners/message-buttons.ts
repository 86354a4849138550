import type { App } from '@slack/bolt';
import { parseSelectValue } from '../../operations/choices/matching/unlisted-choice.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import { parsePaceValue } from '../blocks/confirmation.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { parseChooseBlockId, parseMenuStep, parseStepValue } from '../blocks/elements/buttons.ts';
import { renderNotice } from '../blocks/notice.ts';
import { parsePageValue, renderOutcome } from '../blocks/outcome.ts';
import { listenToTypedConfirmations } from '../modals/typed-confirmation.ts';
import { type Click, createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const replyGoneMessage =
  'This reply is no longer stored, because replies are kept for only 30 minutes. Run the command again.';

const othersPageMessage =
  'Only the person who ran this command can page through its reply. Run the command yourself.';

/** Handles the buttons and selects in messages, including messages shown in a modal. */
export function listenToMessageButtons(app: App, dependencies: ListenerDependencies): void {
  const { runner, catalogue, dispatch, invocationQueue, resolveMentions } = dependencies;
  const onClick = createOnClick(app, dependencies);

  /**
   * Renders a page of an outcome. Only the run's actor gets the page, and only while they are
   * allowed to run its operation.
   */
  async function renderPage(click: Click, { isPosted }: { isPosted: boolean }) {
    const { value, actor, reply } = click;
    const { runId, page, isShared } = parsePageValue(value);
    const run = await runner.findOwnRun(runId, actor);
    if (!run && isShared) {
      await reply.sendToActor(renderNotice(othersPageMessage));
      return undefined;
    }
    const operation = run && catalogue.find(run.operation);
    if (!operation) return undefined;
    if (run.result === null && run.status === 'done') {
      await reply.sendToActor(renderNotice(replyGoneMessage));
      return undefined;
    }
    if (run.result?.kind !== 'outcome') return undefined;
    const problem = await runner.findDenial(click, operation, parseInput(operation, run.input));
    if (problem) {
      await invocationQueue.refuseClick(click, run.operation, problem);
      return undefined;
    }
    const { secretRef, ...outcome } = run.result.outcome;
    if (isPosted) {
      // Slack names only Rackhand as the author.
      const poster = { label: 'Posted by', value: { kind: 'person', person: actor.userId } } as const;
      const posted = { ...outcome, facts: [...(outcome.facts ?? []), poster] };
      return renderOutcome(await resolveMentions(posted, actor.teamId), { page });
    }
    const shown = { ...outcome, ...(secretRef && { secretRef }) };
    return renderOutcome(isShared ? await resolveMentions(shown, actor.teamId) : shown, {
      page,
      runId,
      isShared,
    });
  }

  onClick(actionIds.confirm, dispatch.confirm);

  onClick(actionIds.confirmPace, (click) => {
    const { token, atATime } = parsePaceValue(click.value);
    return dispatch.confirm({ ...click, value: token }, { atATime });
  });

  // Clicks on this button are never ignored: a run's message is edited often, and stopping must always
  // work.
  onClick(
    actionIds.stopRun,
    async (click) => {
      const problem = await runner.stopRun(click.value, click.actor);
      if (problem) await invocationQueue.refuseClick(click, 'stop', problem);
    },
    { isHarmless: true },
  );

  listenToTypedConfirmations(app, dependencies);

  onClick(actionIds.cancel, async ({ value: token, actor, reply }) => {
    await runner.cancel(token, actor);
    await reply.remove();
  });

  onClick(actionIds.step, (click) => dispatch.runStep(parseStepValue(click.value), click));

  onClick(actionIds.stepMenu, async (click) => {
    const step = parseMenuStep(click.actionId, click.value, click.requestKey);
    if (step) await dispatch.runStep(step, click);
  });

  onClick(
    actionIds.page,
    async (click) => {
      const message = await renderPage(click, { isPosted: false });
      if (message) await click.reply.replace(message);
    },
    { isHarmless: true },
  );

  onClick(actionIds.share, async (click) => {
    const message = await renderPage(click, { isPosted: true });
    if (!message) return;
    await click.reply.sendToChannel(message);
    await click.reply.remove();
  });

  const messageSelects = { action_id: actionIds.remoteSelect, block_id: /^\{/ };
  onClick(messageSelects, async (click) => {
    const chooseStep = parseChooseBlockId(click.blockId);
    const operation = chooseStep && catalogue.find(chooseStep.operation);
    if (!operation) return;
    const { text, isUnlisted } = parseSelectValue(click.value);
    const raw = { ...chooseStep.input, [chooseStep.argument]: text };
    await dispatch.run(operation, parseInput(operation, raw), click, undefined, {
      isUncertain: isUnlisted,
    });
  });
}
