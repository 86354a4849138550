import type { ViewOutput } from '@slack/bolt';
import type { Catalogue } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Asker } from '../../operations/runs/run.ts';
import { originAt } from '../asking.ts';
import type { SlackClient, SlackClients } from '../clients.ts';
import { isRefusedBySlack } from '../slack-error.ts';
import type { LiveViews } from './live-view.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { readForm, readTexts } from './values.ts';

/** Forms of which the newest state is remembered: a form is changed for minutes, if at all. */
const mostRemembered = 1_000;

/** What was done to a form is remembered this often: Slack delivers the same twice within seconds, if at all. */
const mostDone = 20;

/** What somebody did in an open form. */
export interface FormEvent {
  readonly asker: Asker;
  /** The form as it was then. */
  readonly view: ViewOutput;
  /** Slack's time of it, which tells what came later. */
  readonly actionTs: string;
}

/** Gives what the form is to carry; what it carries already where nothing but its values has changed. */
export type FormEdit = (metadata: FormMetadata, operation: Operation) => FormMetadata;

/**
 * Changes open forms, one change after the other, so that none undoes another that Slack has told of at the same time. What depends on a parent follows
 * the last choice.
 */
export type UpdateForm = (event: FormEvent, edit?: FormEdit) => Promise<void>;

interface Known {
  readonly hash: string | undefined;
  readonly metadata: FormMetadata;
  /** Slack's times of what has been done to it, the last first. */
  readonly doneTs: readonly string[];
}

/** Creates what changes open forms. */
export function createFormUpdates(clients: SlackClients, catalogue: Catalogue, views: LiveViews): UpdateForm {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<void>>();

  async function update({ asker, view, actionTs }: FormEvent, edit: FormEdit): Promise<void> {
    const given = readMetadata(view.private_metadata);
    const operation = catalogue.find(given.operation);
    const kept = known.get(view.id);
    const doneTs = kept?.doneTs ?? [];
    const isDoneAlready = doneTs.includes(actionTs);
    if (!operation || isDoneAlready) return;
    const isNewer = kept !== undefined && kept.metadata.edition > given.edition;
    const newest = isNewer ? kept : { hash: view.hash, metadata: given };
    const { values } = view.state;
    const edited = edit(newest.metadata, operation);
    const { rows } = edited;
    const read = readForm(operation.arguments, values, { ...given, rows });
    const raw = { ...edited.aside, ...read };
    const isLast = doneTs.every((ts) => Number(ts) < Number(actionTs));
    const by = { asker, origin: originAt(given) };
    const followed = isLast ? await views.follow(by, operation, { raw, metadata: edited }) : undefined;
    const isPreviewed = isLast && operation.kind === 'own' && operation.form?.preview !== undefined;
    if (!followed && !isPreviewed && edited === newest.metadata) return;
    const next = followed ?? { raw, metadata: edited };
    const metadata = { ...next.metadata, edition: newest.metadata.edition + 1 };
    const shown = await views.show(by, operation, { raw: next.raw, metadata }, readTexts(values));
    const hash = await show(await clients(asker.teamId), { view_id: view.id, view: shown }, newest.hash);
    remember(view.id, { hash, metadata, doneTs: [actionTs, ...doneTs].slice(0, mostDone) });
  }

  function remember(viewId: string, state: Known): void {
    known.delete(viewId);
    const [oldest] = known.keys();
    if (known.size >= mostRemembered && oldest !== undefined) known.delete(oldest);
    known.set(viewId, state);
  }

  return async (event, edit = (metadata) => metadata) => {
    const { id } = event.view;
    const before = underWay.get(id) ?? Promise.resolve();
    const work = before.catch(() => undefined).then(() => update(event, edit));
    underWay.set(id, work);
    try {
      await work;
    } finally {
      if (underWay.get(id) === work) underWay.delete(id);
    }
  };
}

type Update = Parameters<SlackClient['views']['update']>[0];

/** Shows a form anew and gives its new hash. Where another process has changed it meanwhile, what was done last holds; one that is closed stays closed. */
async function show(
  client: SlackClient,
  update: Update,
  hash: string | undefined,
): Promise<string | undefined> {
  try {
    const { view } = await client.views.update({ ...update, ...(hash !== undefined && { hash }) });
    return view?.hash;
  } catch (error) {
    const reason = isRefusedBySlack(error) ? error.data.error : undefined;
    if (reason === 'hash_conflict' && hash !== undefined) return show(client, update, undefined);
    if (reason === 'not_found') return undefined;
    throw error;
  }
}
