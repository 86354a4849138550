import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Catalogue, Operation } from '../../../operations/define/operation.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { toOrigin } from '../../invocation.ts';
import { updateView } from '../../messages/view-reply.ts';
import { type FormMetadata, parseFormMetadata } from './form-metadata.ts';
import { parseChoiceLabels, parseFormValues } from './form-values.ts';
import type { FormViews } from './form-views.ts';

/** Minimum time between two updates of a preview. Slack allows 100 view updates per minute. */
const previewPauseMs = 1_000;

export interface FormEvent {
  readonly actor: Actor;
  /** The form at the time of the action. */
  readonly view: ViewOutput;
  /** Slack's timestamp of the action. Deliveries can arrive out of order. */
  readonly actionTs: string;
}

type Shown = FormMetadata | undefined;

/** Returns the form's new metadata, or the same object if only the form's values have changed. */
export type FormEdit = (metadata: FormMetadata, operation: Operation) => FormMetadata;

/**
 * Updates open forms. Handles a form's actions one after another. Skips a value change if a newer one has arrived, so
 * dependent fields and previews match the latest input.
 */
export type UpdateForm = (event: FormEvent, edit?: FormEdit) => Promise<void>;

export function createFormUpdater(
  clients: SlackClients,
  catalogue: Catalogue,
  formViews: FormViews,
): UpdateForm {
  /** The latest action in each form with unfinished updates, and the last update's promise. */
  const pending = new Map<string, { readonly latestTs: string; readonly work: Promise<Shown> }>();

  /**
   * Updates a form and returns its new metadata. `before` is the metadata after earlier updates, which is newer than
   * the action's if Slack hadn't shown those updates yet.
   */
  async function update({ actor, view }: FormEvent, edit: FormEdit, before: Shown): Promise<Shown> {
    const sent = parseFormMetadata(view.private_metadata);
    const operation = catalogue.find(sent.operation);
    if (!operation) return undefined;
    const viewValues = view.state.values;
    const current = before ?? sent;
    const edited = edit(current, operation);
    const raw = {
      ...edited.hiddenValues,
      ...parseFormValues(operation.arguments, viewValues, { ...sent, rows: edited.rows }),
    };
    const formActor = { actor, origin: toOrigin(sent) };
    const state = { raw, metadata: edited };
    const refreshed = await formViews.refresh(formActor, operation, state);
    const isPreviewed = operation.kind === 'local' && operation.form?.preview !== undefined;
    const next = refreshed ?? state;
    if (!refreshed && edited === current && !isPreviewed) return edited;
    const labels = parseChoiceLabels(viewValues);
    const shown = await formViews.build(formActor, operation, next, labels);
    await updateView(clients, actor, view.id, shown);
    if (isPreviewed) await sleep(previewPauseMs);
    return next.metadata;
  }

  return async (event, edit) => {
    const { id } = event.view;
    const { actionTs } = event;
    const { latestTs = '0', work: earlier = Promise.resolve(undefined) } = pending.get(id) ?? {};
    const isLatest = () => pending.get(id)?.latestTs === actionTs;
    const work = earlier
      .catch(() => undefined)
      .then((before) =>
        edit || isLatest() ? update(event, edit ?? ((metadata) => metadata), before) : before,
      );
    pending.set(id, { latestTs: Number(actionTs) > Number(latestTs) ? actionTs : latestTs, work });
    try {
      await work;
    } finally {
      if (pending.get(id)?.work === work) pending.delete(id);
    }
  };
}
