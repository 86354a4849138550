import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, readStep } from '../actions.ts';
import type { Asking } from '../asking.ts';
import { renderOutcome } from '../render/outcome.ts';
import { createReply } from '../reply.ts';
import type { ListenerParts } from './parts.ts';

type ButtonBody = BlockAction<ButtonAction>;

/** Listens to the buttons of messages. */
export function listenToButtons(app: App, { runner, dispatch, clients, answering }: ListenerParts): void {
  function on(actionId: string | RegExp, handle: (value: string, asking: Asking) => Promise<void>): void {
    app.action<ButtonBody>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      if (teamId === undefined || action.value === undefined) return;
      const { value } = action;
      answering.later(
        requestKeyOf(body),
        () => askingOf(body, teamId),
        (asking) => handle(value, asking),
      );
    });
  }

  function askingOf(body: ButtonBody, teamId: string): Asking {
    const asker = { teamId, userId: body.user.id };
    const threadTs: unknown = body.container.thread_ts ?? body.message?.thread_ts;
    const origin = {
      ...(body.channel && { channel: body.channel.id }),
      ...(typeof threadTs === 'string' && { threadTs }),
    };
    return {
      asker,
      ...(body.user.team_id !== undefined && { homeTeamId: body.user.team_id }),
      origin,
      requestKey: requestKeyOf(body),
      triggerId: body.trigger_id,
      isClick: true,
      // A form that the click opens speaks by it too; only what replaces speaks of the message itself.
      responseUrl: body.response_url,
      reply: createReply(clients, { asker, origin, clickedUrl: body.response_url }),
    };
  }

  /** Shows a page of the outcome of a run of the asker's own. */
  async function outcomeOf(value: string, asking: Asking, isForAll: boolean) {
    const [runId = '', page = '0'] = value.split(':');
    const run = await runner.find(runId, asking.asker);
    if (run?.result?.kind !== 'outcome') return undefined;
    return renderOutcome(run.result.outcome, { page: Number(page), ...(!isForAll && { runId }) });
  }

  on(actionIds.confirm, dispatch.confirm);

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
}

function requestKeyOf({ trigger_id }: ButtonBody): string {
  return `click:${trigger_id}`;
}
