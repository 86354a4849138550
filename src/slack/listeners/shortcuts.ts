import type { App, GlobalShortcut, MessageShortcut, types, ViewSubmitAction } from '@slack/bolt';
import { parseInput } from '../../operations/input.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { mayBegin } from '../../operations/runs/access.ts';
import type { Asker } from '../../operations/runs/run.ts';
import { unlessLate } from '../../operations/runs/unless-late.ts';
import { type Asking, originAt } from '../asking.ts';
import { renderProblem } from '../render/problem.ts';
import { createReply } from '../reply.ts';
import {
  type ChooserMetadata,
  chooserCallbackId,
  chooserFields,
  chooserTitle,
  chooserView,
  readChooser,
  vpsArgumentOf,
} from '../shortcuts/shortcut-view.ts';
import { vpsNamesIn } from '../shortcuts/vps-names.ts';
import { createViewReply, loadingView, messageView } from '../view-reply.ts';
import type { ListenerParts } from './parts.ts';

/** How long the rights of who has chosen may take to be looked up: Slack gives three seconds in all. */
const checkWithinMs = 2_000;

/** Listens to the shortcuts: the global one, and the one of a message, which finds the VPS that the message names. */
export function listenToShortcuts(app: App, parts: ListenerParts): void {
  const { catalogue, clients, answering, dispatch, forms, runner, door, access } = parts;

  async function open(
    { trigger_id, user }: { readonly trigger_id: string; readonly user: { readonly id: string } },
    teamId: string | undefined,
    metadata: ChooserMetadata,
    named?: readonly string[],
  ) {
    if (teamId === undefined) return;
    const view = await viewFor({ teamId, userId: user.id }, metadata, named);
    const client = await clients(teamId);
    await client.views.open({ trigger_id, view });
  }

  /** Lets people choose among what they may do there; says why not where they do not come in. */
  async function viewFor(
    asker: Asker,
    metadata: ChooserMetadata,
    named: readonly string[] | undefined,
  ): Promise<types.ModalView> {
    const problem = await door(asker);
    if (problem) return messageView(chooserTitle, renderProblem(problem));
    const reach = await access(asker, originAt(metadata));
    const groups = catalogue.groups.map(({ heading, operations }) => ({
      heading,
      operations: operations.filter((operation) => mayBegin(reach, operation)),
    }));
    return chooserView(groups, metadata, named);
  }

  app.shortcut<GlobalShortcut>('run-operation', async ({ ack, shortcut, context }) => {
    await ack();
    await open(shortcut, context.teamId, {});
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
    await open(shortcut, context.teamId, metadata, vpsNamesIn(message));
  });

  app.view<ViewSubmitAction>(chooserCallbackId, async ({ ack, body, view, context }) => {
    const { values } = view.state;
    const chosen = (field: string) => values[field]?.[chooserFields.action]?.selected_option?.value;
    const operation = catalogue.find(chosen(chooserFields.operation) ?? '');
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const origin = originAt(readChooser(view.private_metadata));
    const vps = chosen(chooserFields.vps);
    const argument = vpsArgumentOf(operation);
    const raw: RawInput = vps !== undefined && argument !== undefined ? { [argument]: vps } : {};
    const asker = { teamId, userId: body.user.id };
    const title = operation.heading;
    const isInView = origin.channel === undefined;
    const asking: Asking = {
      asker,
      origin,
      requestKey: `shortcut:${view.id}`,
      isClick: true,
      ...(isInView && { view: { id: view.id } }),
      reply: isInView
        ? createViewReply(clients, { asker, viewId: view.id, title })
        : createReply(clients, { asker, origin }),
    };
    // No form for who may not send it: the request says why not, and puts it on record.
    const isRefused = await unlessLate(runner.refusalOf(asking, operation, raw), checkWithinMs).catch(
      () => true,
    );
    if (!isRefused && !parseInput(operation, raw).ok) {
      const form = await forms.build(operation, raw, asking).catch(() => undefined);
      if (form) return ack({ response_action: 'update', view: form });
    }
    await (isInView ? ack({ response_action: 'update', view: loadingView(title) }) : ack());
    answering.later(
      asking.requestKey,
      () => asking,
      () => dispatch.run(operation, raw, asking),
    );
  });
}
