import type { App, BlockAction, ButtonAction, ExternalSelectAction, OverflowAction } from '@slack/bolt';
import { RackhandError } from '../../../errors.ts';
import { toProblem } from '../../../runs/problem.ts';
import { findEditTime } from '../../blocks/elements/edit-stamp.ts';
import type { Message } from '../../blocks/message.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { createInvocation, type Invocation, toOrigin } from '../../invocation.ts';
import type { InvocationQueue } from './invocation-queue.ts';

type ClickAction = BlockAction<ButtonAction | ExternalSelectAction | OverflowAction>;

interface ClickDependencies {
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
  /** How long (ms) clicks on a message are ignored after an edit. */
  readonly ignoreClicksMs: number;
}

interface ClickOptions {
  /** Set if the button only reads or stops something. Clicks on it are never ignored. */
  readonly isHarmless?: boolean;
}

/** How long after an edit a click was probably meant for the old content: one second, plus Slack's delay. */
export const defaultIgnoreClicksMs = 1_500;

/** A click on a button, or a choice in a select or menu. */
export interface Click extends Invocation {
  /** The button's value, or the chosen option's value. */
  readonly value: string;
  readonly blockId: string;
  readonly actionId: string;
  /** The clicked view. Undefined if the click was in a message. */
  readonly clickedView: ClickAction['view'];
  /** The clicked message, if Slack sent its blocks. */
  readonly clickedMessage: Message | undefined;
}

/** Registers a handler for a button, select or menu. */
export type OnClick = (
  target: string | RegExp | { readonly action_id: string; readonly block_id: RegExp },
  work: (click: Click) => Promise<void>,
  options?: ClickOptions,
) => void;

/**
 * Acknowledges clicks immediately and handles them afterwards. Ignores clicks without a value, and clicks
 * right after the message was edited.
 */
export function createOnClick(
  app: App,
  { clients, invocationQueue, ignoreClicksMs }: ClickDependencies,
): OnClick {
  const isTooSoon = ({ blockId, receivedMs = 0 }: Click) =>
    receivedMs - (findEditTime(blockId) ?? Number.NEGATIVE_INFINITY) < ignoreClicksMs;

  /** Ignores a click and tells the person why, except in a modal, where a reply would replace the content. */
  async function ignore(click: Click): Promise<void> {
    const problem = tooSoonProblem();
    await invocationQueue.logRefusal(click, 'click a button', problem);
    if (!click.clickedView) await click.reply.sendToActor(renderProblem(problem));
  }

  return (target, work, { isHarmless = false } = {}) => {
    const constraints =
      typeof target === 'string' || target instanceof RegExp ? { action_id: target } : target;
    app.action<ClickAction>(constraints, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      const value = action.type === 'button' ? action.value : action.selected_option?.value;
      if (teamId === undefined || value === undefined) return;
      const click: Click = {
        ...createClickInvocation(body, teamId, clients),
        value,
        blockId: action.block_id,
        actionId: action.action_id,
        clickedView: body.view,
        clickedMessage: toMessage(body.message),
      };
      invocationQueue.enqueueOnce(click, (received) =>
        !isHarmless && isTooSoon(received) ? ignore(received) : work(received),
      );
    });
  };
}

/** Creates the invocation for a click. The reply goes to the message's channel, or into the clicked modal. */
function createClickInvocation(body: BlockAction, teamId: string, clients: SlackClients): Invocation {
  const threadTs: unknown = body.container.thread_ts ?? body.message?.thread_ts;
  const { view, response_url: clickedUrl } = body;
  const origin = toOrigin({
    channel: body.channel?.id,
    threadTs: typeof threadTs === 'string' ? threadTs : undefined,
    // The reply to a form that the click opens also uses this URL, but posts a new message instead of
    // replacing the clicked one.
    responseUrl: clickedUrl,
  });
  const isHome = view?.type === 'home';
  const invocation = createInvocation(clients, {
    actor: { teamId, userId: body.user.id },
    origin,
    requestKey: `click:${body.trigger_id}`,
    triggerId: body.trigger_id,
    isClick: true,
    view: view && !isHome ? { id: view.id, title: view.title.text } : undefined,
    clickedUrl: isHome ? undefined : clickedUrl,
  });
  // Replies to a click on the App Home go into a new modal, because the Home itself doesn't change.
  return isHome ? { ...invocation, view: {} } : invocation;
}

function tooSoonProblem() {
  const error = new RackhandError('cancelled', 'This message changed right before you clicked.');
  return { ...toProblem(error, { isChanging: false }), advice: 'Look at it again, then click.' };
}

function toMessage(clicked: ClickAction['message']): Message | undefined {
  const blocks: unknown = clicked?.blocks;
  return clicked && Array.isArray(blocks) ? { text: clicked.text ?? '', blocks } : undefined;
}
