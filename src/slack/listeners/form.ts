import type { App, BlockAction, ButtonAction, ViewSubmitAction } from '@slack/bolt';
import { parseInput } from '../../operations/input.ts';
import { unlessLate } from '../../operations/runs/unless-late.ts';
import { actionIds } from '../actions.ts';
import { originAt } from '../asking.ts';
import { fieldActions } from '../form/element.ts';
import { mintId, readMetadata } from '../form/metadata.ts';
import { createFormUpdates } from '../form/updates.ts';
import { errorsByBlock, readForm, readTexts } from '../form/values.ts';
import { formCallbackId } from '../form/view.ts';
import { createReply } from '../reply.ts';
import { createViewReply, loadingView } from '../view-reply.ts';
import type { ListenerParts } from './parts.ts';

/** How long the check of what was sent may take: Slack waits 3 s for problems beside their fields, and the run says them all the same. */
const checkWithinMs = 1_500;

/** Listens to the forms of operations: to what is sent, to what changes a form when it is chosen, and to the buttons that add and remove rows. */
export function listenToForms(app: App, parts: ListenerParts): void {
  const { catalogue, dispatch, clients, answering, runner, views } = parts;
  const update = createFormUpdates(clients, catalogue, views);

  app.view<ViewSubmitAction>(formCallbackId, async ({ ack, body, view, context }) => {
    const metadata = readMetadata(view.private_metadata);
    const operation = catalogue.find(metadata.operation);
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const { values } = view.state;
    const raw = readForm(operation.arguments, values, metadata);
    const asker = { teamId, userId: body.user.id };
    const origin = originAt(metadata);
    const by = { asker, origin };
    // Sent before the form could follow what was chosen last: what depends on that has not been asked for yet.
    const followed = await views.follow(by, operation, { raw: { ...metadata.aside, ...raw }, metadata });
    if (followed) {
      const asked = await views.show(by, operation, followed, readTexts(values));
      return ack({ response_action: 'update', view: asked });
    }
    // The run compares once more; here nothing that was filled in is lost.
    const caughtUp = await views.catchUp(by, operation, { raw, metadata }).catch(() => undefined);
    if (caughtUp) {
      const asked = await views.show(by, operation, caughtUp, readTexts(values));
      return ack({ response_action: 'update', view: asked });
    }
    const parsed = parseInput(operation, raw);
    const problems = parsed.ok
      ? await unlessLate(runner.forms.problemsOf(by, operation, raw), checkWithinMs).catch(() => [])
      : parsed.problems;
    if (problems.length > 0) {
      const inputs = view.blocks.flatMap(({ type, block_id }) =>
        type === 'input' && block_id !== undefined ? [block_id] : [],
      );
      return ack({ response_action: 'errors', errors: errorsByBlock(problems, metadata.rows, inputs) });
    }
    const { isPublic, isInView } = metadata;
    const { heading: title } = operation;
    await (isInView ? ack({ response_action: 'update', view: loadingView(title) }) : ack());
    const reply = isInView
      ? createViewReply(clients, { asker, viewId: view.id, title })
      : createReply(clients, { asker, origin });
    const asking = {
      asker,
      origin,
      requestKey: `form:${metadata.requestKey}`,
      isClick: false,
      ...(isInView && { view: { id: view.id } }),
      reply,
    };
    answering.later(
      asking.requestKey,
      () => asking,
      () => dispatch.run(operation, raw, asking, isPublic),
    );
  });

  const inForm = { action_id: fieldActions, block_id: /^(?!\{)/ };
  app.action<BlockAction>(inForm, async ({ ack, body, action, context }) => {
    await ack();
    const { view } = body;
    const { teamId } = context;
    if (view?.callback_id !== formCallbackId || teamId === undefined) return;
    await update({ asker: { teamId, userId: body.user.id }, view, actionTs: action.action_ts });
  });

  /** Shows the form with other rows; what was filled in stays, for the other blocks keep their ids. */
  function onRows(
    actionId: string,
    change: (rowIds: readonly string[], rowId: string, most: number) => readonly string[],
  ): void {
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { view } = body;
      const { teamId } = context;
      if (!view || teamId === undefined) return;
      const [name = '', rowId = ''] = action.value?.split('.') ?? [];
      const asker = { teamId, userId: body.user.id };
      await update({ asker, view, actionTs: action.action_ts }, (metadata, { arguments: fields }) => {
        const control = fields[name]?.control;
        if (control?.kind !== 'rows') return metadata;
        const rowIds = change(metadata.rows[name] ?? [], rowId, control.most);
        return { ...metadata, rows: { ...metadata.rows, [name]: [...rowIds] } };
      });
    });
  }

  onRows(actionIds.rowAdd, (rowIds, _, most) => (rowIds.length < most ? [...rowIds, mintId()] : rowIds));

  onRows(actionIds.rowRemove, (rowIds, removed) => {
    const left = rowIds.filter((rowId) => rowId !== removed);
    return left.length > 0 ? left : rowIds;
  });
}
