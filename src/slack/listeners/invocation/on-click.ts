import type { App, BlockAction, ButtonAction, ExternalSelectAction, OverflowAction } from '@slack/bolt';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { createClickInvocation } from './click-invocation.ts';
import type { InvocationQueue } from './invocation-queue.ts';

type Click = BlockAction<ButtonAction | ExternalSelectAction | OverflowAction>;

interface ClickDependencies {
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
}

export interface ClickLocation {
  readonly blockId: string;
  /** Undefined if the click was in a message. */
  readonly view: Click['view'];
  /** The clicked message, if Slack sent its blocks. */
  readonly message?: Message | undefined;
}

/** Registers a handler for a button, select or menu. `work` is called with the chosen value. */
export type OnClick = (
  target: string | RegExp | { readonly action_id: string; readonly block_id: RegExp },
  work: (value: string, invocation: Invocation, location: ClickLocation) => Promise<void>,
) => void;

/** Acknowledges clicks immediately and handles them afterwards. Clicks without a value are ignored. */
export function createOnClick(app: App, { clients, invocationQueue }: ClickDependencies): OnClick {
  return (target, work) => {
    const constraints =
      typeof target === 'string' || target instanceof RegExp ? { action_id: target } : target;
    app.action<Click>(constraints, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      const value = action.type === 'button' ? action.value : action.selected_option?.value;
      if (teamId === undefined || value === undefined) return;
      invocationQueue.enqueueOnce(createClickInvocation(body, teamId, clients), (invocation) =>
        work(value, invocation, {
          blockId: action.block_id,
          view: body.view,
          message: toMessage(body.message),
        }),
      );
    });
  };
}

function toMessage(clicked: Click['message']): Message | undefined {
  const blocks: unknown = clicked?.blocks;
  return clicked && Array.isArray(blocks) ? { text: clicked.text ?? '', blocks } : undefined;
}
