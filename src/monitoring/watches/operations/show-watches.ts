import { formatPatterns } from '../../../auth/vps-pattern.ts';
import { RackhandError } from '../../../errors.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { findPagesRead } from '../../../hosting/payloads/pages.ts';
import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import { type ChoiceSource, maxChoicesAgeMs } from '../../../operations/define/arguments/choice-source.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { NextStep, Outcome } from '../../../operations/define/outcome.ts';
import type { Read } from '../../../operations/define/read.ts';
import { createVpsLabeler, type LabelVps } from '../../../operations/format/label-vps.ts';
import { formatMonitorList } from '../../shared/monitor/format-monitor-list.ts';
import { listStep, monitorNextSteps, requireMonitor } from '../../shared/monitor/monitor.ts';
import { pauseFacts, pauseNotes } from '../../shared/pauses/format-pause.ts';
import { capitalize, formatShortDuration, formatShortList } from '../../shared/text-format.ts';
import { formatCondition } from '../condition/condition.ts';
import { formatUnreadSubject, groupUnread } from '../delivery/unread-vps.ts';
import { stateIntervalMs } from '../evaluation/evaluation-rate.ts';
import { formatUnreadReason } from '../evaluation/unread-reason.ts';
import { watchArgument } from '../planning/watch-arguments.ts';
import { evaluationFacts, watchPlanFacts } from '../planning/watch-planner.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

interface ShowWatchesDependencies {
  readonly store: Pick<WatchStore, 'find' | 'list' | 'listNames'>;
  readonly watches: ChoiceSource;
  /** Returns how often each VPS of a workspace is read, in ms. */
  readonly intervalMsFor: (teamId: string) => Promise<number | undefined>;
  readonly now: () => number;
}

/** How many VPS a line names. */
const maxNames = 5;

export function createShowWatchOperations(dependencies: ShowWatchesDependencies): readonly Operation[] {
  const { store, watches, intervalMsFor, now } = dependencies;
  return [
    defineLocal({
      name: 'watch list',
      heading: 'Watches',
      summary: 'List the watches and their current alerts',
      arguments: {},
      button: 'Show',
      right: 'view',
      async run(context) {
        const { teamId } = context.actor;
        const [all, names] = await Promise.all([store.list(teamId), store.listNames(teamId)]);
        const labelVps = await loadLabelVps(context, all.length > 0);
        return formatMonitorList(all, {
          kind: 'watch',
          names,
          emptyTitle: 'There are no watches',
          columns: ['Now', 'Condition', 'VPS'],
          toCells: (watch) => [
            formatCurrentState(watch, labelVps),
            formatCondition(watch.condition),
            labelVps(formatPatterns(watch.vps)),
          ],
          toNotes: (watch) => [...pauseNotes(watch, 'watch'), ...readFailureNotes(watch, now(), labelVps)],
          nextSteps: ({ name, state }) => monitorNextSteps('watch', name, state.kind === 'paused'),
          addStep,
        });
      },
    }),

    defineLocal({
      name: 'watch show',
      heading: 'Show a watch',
      summary: 'Show the condition, alerts and failed checks of a watch',
      arguments: { name: watchArgument(watches) },
      button: 'Show',
      right: 'view',
      target: ({ name }) => name,
      async run(context, { name }) {
        const { teamId } = context.actor;
        const watch = await requireMonitor('watch', store, teamId, name);
        const isOfState = watch.condition.measure === 'state';
        const everyMs = await (isOfState ? findStateIntervalMs(context.read) : intervalMsFor(teamId));
        return formatWatchDetails(watch, everyMs, { nowMs: now(), labelVps: await loadLabelVps(context) });
      },
    }),
  ];
}

/**
 * Returns the function that labels VPS. Unless `isNeeded`, it labels none, and saves the call for
 * the list of VPS.
 */
async function loadLabelVps(context: OperationContext, isNeeded = true): Promise<LabelVps> {
  return createVpsLabeler(isNeeded ? await loadVpsLabels(context) : new Map());
}

/**
 * Returns the interval (ms) at which states are read, which depends on the length of the list of
 * VPS.
 */
async function findStateIntervalMs(read: Read): Promise<number | undefined> {
  try {
    const list = await read(listVps, {}, { maxAgeMs: maxChoicesAgeMs, maxPages: 1 });
    return stateIntervalMs(findPagesRead(list)?.allPages ?? 1);
  } catch (error) {
    // The watch can be shown even if the service can't be reached.
    if (error instanceof RackhandError) return undefined;
    throw error;
  }
}

const addStep: NextStep = { label: 'Add a Watch', operation: 'watch add', input: {}, opensForm: true };

function formatWatchDetails(
  watch: Watch,
  everyMs: number | undefined,
  { nowMs, labelVps }: { readonly nowMs: number; readonly labelVps: LabelVps },
): Outcome {
  const { name, state, createdBy, condition } = watch;
  const isActive = state.kind === 'active';
  return {
    title: state.kind === 'paused' ? `${name} (paused)` : name,
    facts: [
      ...(isActive
        ? [{ label: 'Now', value: formatCurrentState(watch, labelVps) }]
        : pauseFacts(watch, 'watch')),
      ...watchPlanFacts(watch, labelVps),
      ...(isActive && everyMs !== undefined ? evaluationFacts(condition, everyMs) : []),
      { label: 'Created by', value: { kind: 'person', person: createdBy } },
    ],
    notes: readFailureNotes(watch, nowMs, labelVps),
    next: [...monitorNextSteps('watch', name, !isActive), listStep('watch')],
  };
}

/** Formats the alerts of a watch. If something can't be read, never says that nothing is wrong. */
function formatCurrentState({ state, condition, alertState }: Watch, labelVps: LabelVps): string {
  if (state.kind === 'paused') return 'paused';
  const over = Object.entries(alertState.vpsStates).flatMap(([name, { isAlerting }]) =>
    isAlerting ? [labelVps(name)] : [],
  );
  const unread = groupUnread(alertState).flatMap(({ vps, reason }) => (reason === 'off' ? [] : vps));
  const unreadText =
    unread.length === 0 ? [] : [`? can't read ${formatUnreadSubject(condition, unread, labelVps)}`];
  const overText = over.length === 0 ? [] : [`⚠ ${formatShortList(over, maxNames)}`];
  return [...overText, ...unreadText].join('; ') || '✓ nothing';
}

/** Returns notes that say which VPS an active watch can't read. */
function readFailureNotes(
  { state, condition, alertState }: Watch,
  nowMs: number,
  labelVps: LabelVps,
): readonly string[] {
  if (state.kind !== 'active') return [];
  return groupUnread(alertState).map(({ vps, reason, sinceMs }) => {
    const subject = formatUnreadSubject(condition, vps, labelVps);
    const pronoun = vps.length === 1 ? 'it' : 'them';
    return `${capitalize(subject)} couldn't be read for ${formatShortDuration(nowMs - sinceMs)}: ${formatUnreadReason(reason)}. The watch can't alert for ${pronoun} until that changes.`;
  });
}
