import type { App, BlockAction, ButtonAction, ExternalSelectAction, ViewSubmitAction } from '@slack/bolt';
import { parseInput } from '../../operations/input.ts';
import { actionIds } from '../actions.ts';
import { originAt } from '../asking.ts';
import { follow } from '../form/dependence.ts';
import { mintId, readMetadata } from '../form/metadata.ts';
import { createFormUpdates } from '../form/updates.ts';
import { errorsByBlock, readForm, readTexts } from '../form/values.ts';
import { formCallbackId, formView } from '../form/view.ts';
import { createReply } from '../reply.ts';
import { createViewReply, loadingView } from '../view-reply.ts';
import type { ListenerParts } from './parts.ts';

/** Listens to the forms of operations: to what is sent, to the choices on which others depend, and to the buttons that add and remove rows. */
export function listenToForms(app: App, { catalogue, dispatch, clients, answering }: ListenerParts): void {
  const update = createFormUpdates(clients, catalogue);

  app.view<ViewSubmitAction>(formCallbackId, async ({ ack, body, view, context }) => {
    const metadata = readMetadata(view.private_metadata);
    const operation = catalogue.find(metadata.operation);
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const { values } = view.state;
    const raw = readForm(operation.arguments, values, metadata);
    // Sent before the form could follow what was chosen last: what depends on that has not been asked for yet.
    const followed = follow(operation.arguments, { raw, metadata });
    if (followed) {
      const asked = formView(operation, followed.raw, followed.metadata, readTexts(values));
      return ack({ response_action: 'update', view: asked });
    }
    const parsed = parseInput(operation, raw);
    if (!parsed.ok) {
      const inputs = view.blocks.flatMap(({ type, block_id }) =>
        type === 'input' && block_id !== undefined ? [block_id] : [],
      );
      const errors = errorsByBlock(parsed.problems, metadata.rows, inputs);
      return ack({ response_action: 'errors', errors });
    }
    const { isPublic, isInView } = metadata;
    const { heading: title } = operation;
    await (isInView ? ack({ response_action: 'update', view: loadingView(title) }) : ack());
    const asker = { teamId, userId: body.user.id };
    const origin = originAt(metadata);
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

  const inForm = { action_id: actionIds.remote, block_id: /^(?!\{)/ };
  app.action<BlockAction<ExternalSelectAction>>(inForm, async ({ ack, body, action, context }) => {
    await ack();
    const { view } = body;
    const { teamId } = context;
    if (view?.callback_id !== formCallbackId || teamId === undefined) return;
    await update({ teamId, view, actionTs: action.action_ts });
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
      await update({ teamId, view, actionTs: action.action_ts }, (metadata, { arguments: fields }) => {
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
