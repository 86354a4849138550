import type { App, BlockAction, ButtonAction, ViewSubmitAction } from '@slack/bolt';
import { parseInput } from '../../operations/input.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { actionIds } from '../actions.ts';
import { type FormMetadata, mintId, readMetadata } from '../form/metadata.ts';
import { errorsByBlock, readForm } from '../form/values.ts';
import { formCallbackId, formView } from '../form/view.ts';
import { createReply } from '../reply.ts';
import type { ListenerParts } from './parts.ts';

/** Listens to the forms of operations: to what is sent, and to the buttons that add and remove rows. */
export function listenToForms(app: App, { catalogue, dispatch, clients, answering }: ListenerParts): void {
  app.view<ViewSubmitAction>(formCallbackId, async ({ ack, body, view, context }) => {
    const metadata = readMetadata(view.private_metadata);
    const operation = catalogue.find(metadata.operation);
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const raw = readForm(operation.arguments, view.state.values, metadata.rows);
    const parsed = parseInput(operation, raw);
    if (!parsed.ok) {
      return ack({ response_action: 'errors', errors: errorsByBlock(parsed.problems, metadata.rows) });
    }
    await ack();
    const { channel, threadTs, responseUrl, isPublic } = metadata;
    const asker = { teamId, userId: body.user.id };
    const origin = { ...(channel && { channel }), ...(threadTs && { threadTs }) };
    const reply = createReply(clients, { asker, origin, ...(responseUrl && { responseUrl }) });
    const home = body.user.team_id === undefined ? {} : { homeTeamId: body.user.team_id };
    const asking = {
      asker,
      ...home,
      origin,
      requestKey: `form:${metadata.requestKey}`,
      isClick: false,
      reply,
    };
    answering.later(
      asking.requestKey,
      () => asking,
      () => dispatch.run(operation, raw, asking, isPublic),
    );
  });

  /** Shows the form with other rows; what was filled in stays, for the other blocks keep their ids. */
  function onRows(
    actionId: string,
    change: (rows: FormMetadata['rows'], value: string) => FormMetadata['rows'],
  ): void {
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { view } = body;
      const metadata = view && readMetadata(view.private_metadata);
      const operation = metadata && catalogue.find(metadata.operation);
      if (!view || !operation || action.value === undefined || context.teamId === undefined) return;
      const client = await clients(context.teamId);
      const rows = change(metadata.rows, action.value);
      const raw: RawInput = readForm(operation.arguments, view.state.values, rows);
      await client.views.update({
        view_id: view.id,
        hash: view.hash,
        view: formView(operation, raw, { ...metadata, rows }),
      });
    });
  }

  onRows(actionIds.rowAdd, (rows, name) => ({ ...rows, [name]: [...(rows[name] ?? []), mintId()] }));

  onRows(actionIds.rowRemove, (rows, path) => {
    const [name = '', removed] = path.split('.');
    return { ...rows, [name]: (rows[name] ?? []).filter((rowId) => rowId !== removed) };
  });
}
