import type { App, ViewSubmitAction } from '@slack/bolt';
import { isTyped } from '../../operations/runs/typed-text.ts';
import type { Asking } from '../asking.ts';
import { createOnClick } from '../clicks.ts';
import { openView } from '../form/open-view.ts';
import {
  readQuestion,
  readTyped,
  typedActionId,
  typedCallbackId,
  typedField,
  typedView,
} from '../form/typed-confirmation.ts';
import { renderNotice } from '../render/notice.ts';
import { createReply } from '../reply.ts';
import { createViewReply } from '../view-reply.ts';
import type { ListenerParts } from './parts.ts';

const pressAgain = 'Slack let too much time pass. Nothing was changed: press the button again.';

/** Listens to the confirmations that want a text typed: the button of the card opens a view, and what is typed there confirms. */
export function listenToTypedConfirmations(app: App, parts: ListenerParts): void {
  const { dispatch, clients, answering } = parts;
  const onClick = createOnClick(app, parts);

  onClick(typedActionId, async (value, asking, { view }) => {
    const { origin, reply } = asking;
    const { responseUrl: cardUrl, ...place } = origin;
    const cardView = view && { id: view.id, title: view.title.text };
    const card = { ...place, ...(cardUrl && { cardUrl }), ...(cardView && { cardView }) };
    const isOpen = await openView(clients, asking, typedView(readQuestion(value), card));
    if (!isOpen) await reply.tell(renderNotice(pressAgain));
  });

  app.view<ViewSubmitAction>(typedCallbackId, async ({ ack, body, view, context }) => {
    const { token, typed, channel, threadTs, cardUrl, cardView } = readTyped(view.private_metadata);
    const text = view.state.values[typedField.block]?.[typedField.action]?.value ?? '';
    if (!isTyped(typed, text)) {
      return ack({ response_action: 'errors', errors: { [typedField.block]: `This is not ${typed}.` } });
    }
    await ack();
    const { teamId } = context;
    if (teamId === undefined) return;
    const asker = { teamId, userId: body.user.id };
    const origin = { ...(channel && { channel }), ...(threadTs && { threadTs }) };
    const asking: Asking = {
      asker,
      origin,
      requestKey: `typed:${view.id}`,
      isClick: true,
      ...(cardView && { view: { id: cardView.id } }),
      reply: cardView
        ? createViewReply(clients, { asker, viewId: cardView.id, title: cardView.title })
        : createReply(clients, { asker, origin, ...(cardUrl && { clickedUrl: cardUrl }) }),
    };
    answering.later(
      asking.requestKey,
      () => asking,
      () => dispatch.confirm(token, asking, text),
    );
  });
}
