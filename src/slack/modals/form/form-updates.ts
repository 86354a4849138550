import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Catalogue, Operation } from '../../../operations/define/operation.ts';
import type { SlackClient, SlackClients } from '../../client/slack-clients.ts';
import { isSlackPlatformError } from '../../client/slack-errors.ts';
import { toOrigin } from '../../invocation.ts';
import { type FormMetadata, parseFormMetadata } from './form-metadata.ts';
import { parseChoiceLabels, parseFormValues } from './form-values.ts';
import type { FormViews } from './form-views.ts';

/** Maximum number of open forms whose latest state is remembered. */
const maxRememberedForms = 1_000;

/** How many actions are remembered for each form. Slack redelivers within seconds. */
const maxHandledActions = 20;

/** The least time between two updates of a form for a preview. Slack allows 100 updates of views per minute. */
const previewPauseMs = 1_000;

/** An action in an open form. */
export interface FormEvent {
  readonly actor: Actor;
  /** The form at the time of the action. */
  readonly view: ViewOutput;
  /** Slack's timestamp of the action. Actions are ordered by it. */
  readonly actionTs: string;
}

/** Returns the form's new metadata, or the same object if only the form's values have changed. */
export type FormEdit = (metadata: FormMetadata, operation: Operation) => FormMetadata;

/**
 * Updates open forms. The actions in a form are handled one after another, so that concurrent
 * deliveries don't undo each other. Dependent fields follow the latest choice. If someone types faster
 * than the preview is updated, it skips to the latest text.
 */
export type UpdateForm = (event: FormEvent, edit?: FormEdit) => Promise<void>;

interface FormVersion {
  readonly hash: string | undefined;
  readonly metadata: FormMetadata;
  /** Slack's timestamps of the form's handled actions, latest first. */
  readonly handledActionTs: readonly string[];
}

export function createFormUpdater(
  clients: SlackClients,
  catalogue: Catalogue,
  formViews: FormViews,
): UpdateForm {
  const versions = new Map<string, FormVersion>();
  const pending = new Map<string, Promise<void>>();
  /** Slack's timestamps of the latest change of a value in each form with pending updates. */
  const latestChanges = new Map<string, string>();
  /** When each form's preview may be updated again, by `performance.now()`. */
  const nextPreviews = new Map<string, number>();

  const isLatestChange = ({ view, actionTs }: FormEvent) => latestChanges.get(view.id) === actionTs;

  /** Waits until a form's preview may be updated. Returns false if its values have changed again. */
  async function awaitPreview(event: FormEvent): Promise<boolean> {
    const { id } = event.view;
    await sleep(Math.max(0, (nextPreviews.get(id) ?? 0) - performance.now()));
    if (!isLatestChange(event)) return false;
    nextPreviews.set(id, performance.now() + previewPauseMs);
    return true;
  }

  async function update(event: FormEvent, edit: FormEdit): Promise<void> {
    const { actor, view, actionTs } = event;
    const sent = parseFormMetadata(view.private_metadata);
    const operation = catalogue.find(sent.operation);
    const previous = versions.get(view.id);
    const handledActionTs = previous?.handledActionTs ?? [];
    const isDuplicate = handledActionTs.includes(actionTs);
    if (!operation || isDuplicate) return;
    const isNewer = previous !== undefined && previous.metadata.version > sent.version;
    const newest = isNewer ? previous : { hash: view.hash, metadata: sent };
    const viewValues = view.state.values;
    const edited = edit(newest.metadata, operation);
    const { rows } = edited;
    const values = parseFormValues(operation.arguments, viewValues, { ...sent, rows });
    const raw = { ...edited.hiddenValues, ...values };
    const isLast = handledActionTs.every((ts) => Number(ts) < Number(actionTs));
    const formActor = { actor, origin: toOrigin(sent) };
    const refreshed = isLast
      ? await formViews.refresh(formActor, operation, { raw, metadata: edited })
      : undefined;
    const isPreviewed = isLast && operation.kind === 'local' && operation.form?.preview !== undefined;
    const isOnlyPreviewed = !refreshed && edited === newest.metadata;
    if (isOnlyPreviewed && !(isPreviewed && (await awaitPreview(event)))) return;
    const next = refreshed ?? { raw, metadata: edited };
    const metadata = { ...next.metadata, version: newest.metadata.version + 1 };
    const shown = await formViews.build(
      formActor,
      operation,
      { raw: next.raw, metadata },
      parseChoiceLabels(viewValues),
    );
    const hash = await updateView(
      await clients(actor.teamId),
      { view_id: view.id, view: shown },
      newest.hash,
    );
    remember(view.id, {
      hash,
      metadata,
      handledActionTs: [actionTs, ...handledActionTs].slice(0, maxHandledActions),
    });
  }

  function remember(viewId: string, state: FormVersion): void {
    versions.delete(viewId);
    const [oldest] = versions.keys();
    if (versions.size >= maxRememberedForms && oldest !== undefined) {
      versions.delete(oldest);
      nextPreviews.delete(oldest);
    }
    versions.set(viewId, state);
  }

  return async (event, edit) => {
    const { id } = event.view;
    const isLatest = Number(event.actionTs) > Number(latestChanges.get(id) ?? 0);
    if (!edit && isLatest) latestChanges.set(id, event.actionTs);
    const before = pending.get(id) ?? Promise.resolve();
    const work = before
      .catch(() => undefined)
      .then(() =>
        edit || isLatestChange(event) ? update(event, edit ?? ((metadata) => metadata)) : undefined,
      );
    pending.set(id, work);
    try {
      await work;
    } finally {
      if (pending.get(id) === work) {
        pending.delete(id);
        latestChanges.delete(id);
      }
    }
  };
}

type Update = Parameters<SlackClient['views']['update']>[0];

/**
 * Updates a form's modal and returns its new hash. This update wins over one that another process
 * has just made. A closed form stays closed.
 */
async function updateView(
  client: SlackClient,
  update: Update,
  hash: string | undefined,
): Promise<string | undefined> {
  try {
    const { view } = await client.views.update({ ...update, ...(hash !== undefined && { hash }) });
    return view?.hash;
  } catch (error) {
    const reason = isSlackPlatformError(error) ? error.data.error : undefined;
    if (reason === 'hash_conflict' && hash !== undefined) return updateView(client, update, undefined);
    if (reason === 'not_found') return undefined;
    throw error;
  }
}
