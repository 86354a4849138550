import type { App, BlockAction, ButtonAction, ExternalSelectAction, OverflowAction } from '@slack/bolt';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { createClickInvocation } from './click-invocation.ts';
import type { InvocationQueue } from './invocation-queue.ts';

type ClickAction = BlockAction<ButtonAction | ExternalSelectAction | OverflowAction>;

interface ClickDependencies {
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
}

/** A click on a button, or a choice in a select or menu. */
export interface Click extends Invocation {
  /** The value of the button, or the chosen value. */
  readonly value: string;
  readonly blockId: string;
  /** The clicked view. Undefined if the click was in a message. */
  readonly clickedView: ClickAction['view'];
  /** The clicked message, if Slack sent its blocks. */
  readonly clickedMessage: Message | undefined;
}

/** Registers a handler for a button, select or menu. */
export type OnClick = (
  target: string | RegExp | { readonly action_id: string; readonly block_id: RegExp },
  work: (click: Click) => Promise<void>,
) => void;

/** Acknowledges clicks immediately and handles them afterwards. Clicks without a value are ignored. */
export function createOnClick(app: App, { clients, invocationQueue }: ClickDependencies): OnClick {
  return (target, work) => {
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
        clickedView: body.view,
        clickedMessage: toMessage(body.message),
      };
      invocationQueue.enqueueOnce(click, work);
    });
  };
}

function toMessage(clicked: ClickAction['message']): Message | undefined {
  const blocks: unknown = clicked?.blocks;
  return clicked && Array.isArray(blocks) ? { text: clicked.text ?? '', blocks } : undefined;
}
