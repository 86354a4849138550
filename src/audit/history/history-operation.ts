import { loadVpsLabels } from '../../operations/choices/sources/vps-labels.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { createVpsLabeler, type VpsLabels } from '../../operations/format/label-vps.ts';
import { resolveVpsName } from '../../runs/pipeline/names/resolve-vps-name.ts';
import type { FindDisplayName } from '../actor-names.ts';
import { hasText, isUnlabelled, isUnsuccessful } from '../audit-entry.ts';
import type { AuditQuery, AuditStore } from '../audit-store.ts';
import { type AuditFilter, createAuditVisibility, createVpsFilter } from '../audit-visibility.ts';
import { toLogKinds } from '../entry-kind.ts';
import { type ExportFormat, exportAuditLog } from '../export/export-audit-log.ts';
import { type ExportFile, writeExportStream } from '../export/export-stream.ts';
import type { AuditSubscriptionStore } from '../subscriptions/audit-subscription-store.ts';
import { type AuditPage, findAuditPage } from './find-audit-page.ts';
import { formatHistory, type HistoryFilters } from './format-history.ts';
import { type HistorySubject, historyArguments, parseSince } from './history-arguments.ts';

/** Sends an export file to the actor, in a direct message from the app. */
export type DeliverExport = (
  actor: Actor,
  file: ExportFile & { readonly name: string; readonly title: string },
) => Promise<void>;

/** Posts text to a channel on behalf of the actor. Throws `input_invalid` if the app can't post there. */
export type PostIntro = (actor: Actor, channel: string, text: string) => Promise<unknown>;

export interface HistoryDependencies {
  readonly store: Pick<AuditStore, 'read'>;
  readonly subscriptions: AuditSubscriptionStore;
  readonly postIntro: PostIntro;
  readonly deliverExport: DeliverExport;
  readonly findDisplayName: FindDisplayName;
  readonly now: () => number;
}

const operationName = 'history';

/** Declares `history`, which shows or exports the activity log, or subscribes a channel to it. */
export function createHistoryOperation(dependencies: HistoryDependencies): Operation {
  return defineLocal({
    name: operationName,
    heading: 'Activity log',
    summary: 'Show who did what, export it, or post it to a channel',
    arguments: historyArguments,
    button: 'Show',
    // Everyone can see their own runs. `createAuditVisibility` decides who can see other runs.
    right: null,
    rightByEffect: ({ export: format, to }) => (format !== undefined || to !== undefined ? 'admin' : null),
    async run(context, { about = {}, failed, kind, target, since, export: format, to, page }) {
      if (to !== undefined) return subscribeChannel(dependencies, context.actor, to);
      const { findDisplayName, store, now } = dependencies;
      const { actor } = context;
      const subject = await resolveSubject(about, context);
      // By default, an export contains all kinds of entries, because it serves as evidence.
      const shownKind = kind ?? (format === undefined ? undefined : 'all');
      const filters: HistoryFilters = { subject, isFailedOnly: failed, kind: shownKind, target, since };
      const nowMs = now();
      const query: AuditQuery = {
        teamId: actor.teamId,
        untilMs: nowMs,
        kinds: toLogKinds(shownKind),
        ...(subject.userId !== undefined && { userId: subject.userId }),
        ...(since !== undefined && { sinceMs: parseSince(since, nowMs, await context.timeZone()) }),
        ...(subject.vps !== undefined && { vps: subject.vps }),
        ...(failed && { isUnsuccessful: true }),
      };
      const matches = await createHistoryFilter(context, filters);
      if (format !== undefined) return exportHistory(dependencies, actor, { query, matches, format });
      const found = await findAuditPage(store, query, matches, page);
      const checkAccess = await context.loadAccess();
      const canExport = checkAccess({ right: 'admin', vps: [] }) === undefined;
      return formatHistory(found, filters, {
        findPersonName: (id) => findDisplayName(actor.teamId, id),
        labelVps: createVpsLabeler(await loadLabelsFor(found, context)),
        canExport,
      });
    },
  });
}

/** Loads VPS labels only if a run was stored without labels, such as a denied run. */
async function loadLabelsFor({ entries }: AuditPage, context: OperationContext): Promise<VpsLabels> {
  return entries.some(isUnlabelled) ? loadVpsLabels(context) : new Map();
}

/** Finds the subject's VPS by any of its names. */
async function resolveSubject(
  { vps, ...others }: HistorySubject,
  context: OperationContext,
): Promise<HistoryFilters['subject']> {
  if (vps === undefined) return others;
  const { value, text } = await resolveVpsName(vps, context);
  return { ...others, vps: value, vpsLabel: text };
}

/**
 * Creates a filter that combines the requested filters with what the actor is allowed to see. Leaves out
 * `history` runs that haven't settled, such as the current run.
 */
async function createHistoryFilter(
  { actor, loadAccess, catalogue }: OperationContext,
  { subject: { vps }, isFailedOnly, kind, target }: HistoryFilters,
): Promise<AuditFilter> {
  const isVisible = createAuditVisibility(actor, await loadAccess(), catalogue);
  const kinds = toLogKinds(kind);
  const isAboutVps = vps === undefined ? () => true : createVpsFilter(vps, catalogue);
  return (run) =>
    (run.settledMs !== null || run.operation !== operationName) &&
    (!isFailedOnly || isUnsuccessful(run)) &&
    (target === undefined || hasText(run, target)) &&
    kinds.includes(run.logKind) &&
    isAboutVps(run) &&
    isVisible(run);
}

async function exportHistory(
  { store, findDisplayName, deliverExport, now }: HistoryDependencies,
  actor: Actor,
  options: { readonly query: AuditQuery; readonly matches: AuditFilter; readonly format: ExportFormat },
): Promise<Outcome> {
  let runs = 0;
  const chunks = exportAuditLog({ store, findDisplayName }, options, (count) => {
    runs += count;
  });
  const day = new Date(now()).toISOString().slice(0, 10);
  await writeExportStream(chunks, (file) =>
    deliverExport(actor, {
      ...file,
      name: `activity-log-${day}.${options.format}`,
      title: `Activity log, ${runs} ${runs === 1 ? 'run' : 'runs'}`,
    }),
  );
  return {
    title: 'The activity log was exported',
    facts: [{ label: 'Runs', value: String(runs) }],
    notes: ['I sent the file to your DMs.'],
  };
}

const subscriptionIntro =
  'The activity log is posted to this channel from now on: changes, denials, grants and API keys. They notify no one. To stop, run `/vps history --to off`.';

async function subscribeChannel(
  { subscriptions, postIntro, now }: HistoryDependencies,
  actor: Actor,
  to: string,
): Promise<Outcome> {
  const { teamId, userId } = actor;
  const before = await subscriptions.find(teamId);
  if (to === 'off') {
    if (before) await subscriptions.remove(before);
    return before
      ? {
          title: 'The activity log is no longer posted to a channel',
          facts: [{ label: 'Before', value: { kind: 'channel', channel: before.channel } }],
        }
      : { title: "The activity log isn't posted to any channel" };
  }
  const createdMs = now();
  await postIntro(actor, to, subscriptionIntro);
  await subscriptions.save({ teamId, channel: to, createdBy: userId, createdMs });
  return {
    title: 'The activity log is now posted to a channel',
    facts: [{ label: 'Channel', value: { kind: 'channel', channel: to } }],
    notes: [
      'Changes, denials, grants and API keys are posted there. They notify no one.',
      'To stop, run /vps history --to off.',
    ],
  };
}
