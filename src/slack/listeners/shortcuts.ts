import type { App, GlobalShortcut, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import { parseInput } from '../../operations/input.ts';
import type { RawInput } from '../../operations/outcome.ts';
import type { Asking } from '../asking.ts';
import { formMetadataOf } from '../form/forms.ts';
import { formView } from '../form/view.ts';
import { createReply } from '../reply.ts';
import {
  type ChooserMetadata,
  chooserCallbackId,
  chooserFields,
  chooserView,
  readChooser,
  vpsArgumentOf,
} from '../shortcuts/shortcut-view.ts';
import { vpsNamesIn } from '../shortcuts/vps-names.ts';
import { createViewReply, loadingView } from '../view-reply.ts';
import type { ListenerParts } from './parts.ts';

/** Listens to the shortcuts: the global one, and the one of a message, which finds the VPS that the message names. */
export function listenToShortcuts(app: App, parts: ListenerParts): void {
  const { catalogue, clients, answering, dispatch } = parts;

  async function open(
    trigger_id: string,
    teamId: string | undefined,
    metadata: ChooserMetadata,
    named?: readonly string[],
  ) {
    if (teamId === undefined) return;
    const client = await clients(teamId);
    await client.views.open({ trigger_id, view: chooserView(catalogue.groups, metadata, named) });
  }

  app.shortcut<GlobalShortcut>('run-operation', async ({ ack, shortcut, context }) => {
    await ack();
    await open(shortcut.trigger_id, context.teamId, {});
  });

  app.shortcut<MessageShortcut>('use-vps', async ({ ack, shortcut, context }) => {
    await ack();
    const { message, channel, response_url: responseUrl } = shortcut;
    const threadTs: unknown = message.thread_ts;
    const metadata = {
      channel: channel.id,
      responseUrl,
      ...(typeof threadTs === 'string' && { threadTs }),
    };
    await open(shortcut.trigger_id, context.teamId, metadata, vpsNamesIn(message));
  });

  app.view<ViewSubmitAction>(chooserCallbackId, async ({ ack, body, view, context }) => {
    const { values } = view.state;
    const chosen = (field: string) => values[field]?.[chooserFields.action]?.selected_option?.value;
    const operation = catalogue.find(chosen(chooserFields.operation) ?? '');
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const { channel, threadTs, responseUrl } = readChooser(view.private_metadata);
    const vps = chosen(chooserFields.vps);
    const argument = vpsArgumentOf(operation);
    const raw: RawInput = vps !== undefined && argument !== undefined ? { [argument]: vps } : {};
    const asker = { teamId, userId: body.user.id };
    const origin = { ...(channel && { channel }), ...(threadTs && { threadTs }) };
    const title = operation.heading;
    const isInView = channel === undefined;
    const asking: Asking = {
      asker,
      ...(body.user.team_id !== undefined && { homeTeamId: body.user.team_id }),
      origin,
      requestKey: `shortcut:${view.id}`,
      isClick: true,
      ...(isInView && { view: { id: view.id } }),
      ...(responseUrl && { responseUrl }),
      reply: isInView
        ? createViewReply(clients, { asker, viewId: view.id, title })
        : createReply(clients, { asker, origin, ...(responseUrl && { responseUrl }) }),
    };
    if (!parseInput(operation, raw).ok) {
      const metadata = formMetadataOf(operation, raw, asking);
      return ack({ response_action: 'update', view: formView(operation, raw, metadata) });
    }
    await (isInView ? ack({ response_action: 'update', view: loadingView(title) }) : ack());
    answering.later(
      asking.requestKey,
      () => asking,
      () => dispatch.run(operation, raw, asking),
    );
  });
}
