import type { App, BlockAction, ButtonAction, ViewSubmitAction } from '@slack/bolt';
import { parseInput } from '../../../operations/define/arguments/input.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { createInvocation, toOrigin } from '../../invocation.ts';
import { loadingView } from '../../messages/view-reply.ts';
import { readButtonValues } from '../../modals/form/field-dependencies.ts';
import { createId, parseFormMetadata } from '../../modals/form/form-metadata.ts';
import { createFormUpdater } from '../../modals/form/form-updates.ts';
import {
  hasUnlistedChoice,
  parseChoiceLabels,
  parseFormValues,
  toBlockErrors,
} from '../../modals/form/form-values.ts';
import { formCallbackId } from '../../modals/form/form-view.ts';
import { fieldActionIds } from '../../modals/form/input-element.ts';
import type { ListenerDependencies } from '../listener-dependencies.ts';

/**
 * Time limit for checking a submission, because Slack waits only 3 s for errors. A check that takes longer
 * is skipped, because the run checks again.
 */
const checkTimeoutMs = 1_500;

/** Handles operations' forms: submissions, choices that change the form, and the buttons that add and remove rows. */
export function listenToForms(app: App, dependencies: ListenerDependencies): void {
  const { catalogue, dispatch, clients, invocationQueue, runner, formViews } = dependencies;
  const update = createFormUpdater(clients, catalogue, formViews);

  app.view<ViewSubmitAction>(formCallbackId, async ({ ack, body, view, context }) => {
    const metadata = parseFormMetadata(view.private_metadata);
    const operation = catalogue.find(metadata.operation);
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const { values } = view.state;
    const raw = {
      ...readButtonValues(operation, metadata),
      ...parseFormValues(operation.arguments, values, metadata),
    };
    const actor = { teamId, userId: body.user.id };
    const origin = toOrigin(metadata);
    const formActor = { actor, origin };
    // If the form was submitted before its dependent fields were updated, they aren't filled in
    // yet.
    const refreshed = await formViews.refresh(formActor, operation, {
      raw: { ...metadata.hiddenValues, ...raw },
      metadata,
    });
    if (refreshed) {
      const form = await formViews.build(formActor, operation, refreshed, parseChoiceLabels(values));
      return ack({ response_action: 'update', view: form });
    }
    // The run compares again, but comparing here keeps everything the person has entered.
    const merged = await formViews
      .mergeStoredChanges(formActor, operation, { raw, metadata })
      .catch(() => undefined);
    if (merged) {
      const form = await formViews.build(formActor, operation, merged, parseChoiceLabels(values));
      return ack({ response_action: 'update', view: form });
    }
    const parsed = parseInput(operation, raw);
    const problems =
      parsed.kind === 'valid'
        ? await withTimeout(runner.formQueries.validate(formActor, operation, parsed), checkTimeoutMs).catch(
            () => [],
          )
        : parsed.problems;
    if (problems.length > 0) {
      const inputBlockIds = view.blocks.flatMap(({ type, block_id }) =>
        type === 'input' && block_id !== undefined ? [block_id] : [],
      );
      return ack({
        response_action: 'errors',
        errors: toBlockErrors(problems, metadata.rows, inputBlockIds),
      });
    }
    const { isPublic, isInView } = metadata;
    const { heading: title } = operation;
    await (isInView ? ack({ response_action: 'update', view: loadingView(title) }) : ack());
    const invocation = createInvocation(clients, {
      actor,
      origin,
      requestKey: `form:${metadata.requestKey}`,
      view: isInView ? { id: view.id, title } : undefined,
    });
    const isUncertain = hasUnlistedChoice(values);
    invocationQueue.enqueueOnce(invocation, (received) =>
      dispatch.run(operation, parsed, received, isPublic, { isUncertain }),
    );
  });

  const formFields = { action_id: fieldActionIds, block_id: /^(?!\{)/ };
  app.action<BlockAction>(formFields, async ({ ack, body, action, context }) => {
    await ack();
    const { view } = body;
    const { teamId } = context;
    if (view?.callback_id !== formCallbackId || teamId === undefined) return;
    await update({ actor: { teamId, userId: body.user.id }, view, actionTs: action.action_ts });
  });

  /** Handles a button that changes a form's rows. Entered values stay, because the IDs of the other blocks don't change. */
  function onRows(
    actionId: string,
    change: (
      rowIds: readonly string[],
      rowId: string,
      limits: { readonly min: number; readonly max: number },
    ) => readonly string[],
  ): void {
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { view } = body;
      const { teamId } = context;
      if (!view || teamId === undefined) return;
      const [name = '', rowId = ''] = action.value?.split('.') ?? [];
      const actor = { teamId, userId: body.user.id };
      await update({ actor, view, actionTs: action.action_ts }, (metadata, { arguments: fields }) => {
        const control = fields[name]?.control;
        if (control?.kind !== 'rows') return metadata;
        const rowIds = change(metadata.rows[name] ?? [], rowId, control);
        return { ...metadata, rows: { ...metadata.rows, [name]: [...rowIds] } };
      });
    });
  }

  onRows(actionIds.rowAdd, (rowIds, _, { max }) => (rowIds.length < max ? [...rowIds, createId()] : rowIds));

  onRows(actionIds.rowRemove, (rowIds, removed, { min }) => {
    const remaining = rowIds.filter((rowId) => rowId !== removed);
    return remaining.length >= min ? remaining : rowIds;
  });
}
