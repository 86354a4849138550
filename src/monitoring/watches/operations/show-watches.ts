import { formatPatterns } from '../../../auth/vps-pattern.ts';
import type { ChoiceSource } from '../../../operations/define/choice-source.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { NextStep, Outcome } from '../../../operations/define/outcome.ts';
import { formatMonitorList } from '../../shared/monitor/format-monitor-list.ts';
import { listStep, monitorNextSteps, requireMonitor } from '../../shared/monitor/monitor.ts';
import { pauseFacts, pauseNotes } from '../../shared/pauses/format-pause.ts';
import { capitalize, formatShortDuration, formatShortList } from '../../shared/text-format.ts';
import { formatCondition } from '../condition/condition.ts';
import { formatUnreadReason, formatUnreadSubject, groupUnread } from '../delivery/unread-vps.ts';
import { cycleIntervalMs } from '../evaluation/evaluation-rate.ts';
import { watchArgument } from '../planning/watch-arguments.ts';
import { evaluationFacts, planFacts } from '../planning/watch-planner.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

interface ShowWatchesDependencies {
  readonly store: Pick<WatchStore, 'find' | 'list'>;
  readonly watches: ChoiceSource;
  /** Returns how often each VPS of a workspace is read, in ms. */
  readonly intervalMsFor: (teamId: string) => Promise<number | undefined>;
  readonly now: () => number;
}

/** How many VPS a line names. */
const maxNames = 5;

/** Declares the operations that list and show watches. */
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
      async run({ actor }) {
        return formatMonitorList(await store.list(actor.teamId), {
          kind: 'watch',
          emptyTitle: 'There are no watches',
          columns: ['Now', 'Condition', 'VPS'],
          toCells: (watch) => [
            formatCurrentState(watch),
            formatCondition(watch.condition),
            formatPatterns(watch.vps),
          ],
          toNotes: (watch) => [...pauseNotes(watch, 'watch'), ...readFailureNotes(watch, now())],
          nextSteps: ({ name, state }) => monitorNextSteps('watch', name, state.kind === 'paused'),
          addStep,
        });
      },
    }),

    defineLocal({
      name: 'watch show',
      heading: 'Show a watch',
      summary: 'Show the condition, alerts and failed readings of a watch',
      arguments: { name: watchArgument(watches) },
      button: 'Show',
      right: 'view',
      target: ({ name }) => name,
      async run({ actor }, { name }) {
        const watch = await requireMonitor('watch', store, actor.teamId, name);
        const isOfState = watch.condition.measure === 'state';
        const everyMs = isOfState ? cycleIntervalMs : await intervalMsFor(actor.teamId);
        return formatWatchDetails(watch, everyMs, now());
      },
    }),
  ];
}

const addStep: NextStep = { label: 'Add a Watch', operation: 'watch add', input: {}, opensForm: true };

function formatWatchDetails(watch: Watch, everyMs: number | undefined, nowMs: number): Outcome {
  const { name, state, createdBy, condition } = watch;
  const isActive = state.kind === 'active';
  return {
    title: state.kind === 'paused' ? `${name} (paused)` : name,
    facts: [
      ...(isActive ? [{ label: 'Now', value: formatCurrentState(watch) }] : pauseFacts(watch, 'watch')),
      ...planFacts(watch),
      ...(isActive && everyMs !== undefined ? evaluationFacts(condition, everyMs) : []),
      { label: 'Created by', value: { kind: 'person', person: createdBy } },
    ],
    notes: readFailureNotes(watch, nowMs),
    next: [...monitorNextSteps('watch', name, !isActive), listStep('watch')],
  };
}

/** Formats the alerts of a watch. Never says that nothing is wrong if something can't be read. */
function formatCurrentState({ state, condition, alertState }: Watch): string {
  if (state.kind === 'paused') return 'paused';
  const over = Object.entries(alertState.vpsStates).flatMap(([name, { isAlerting }]) =>
    isAlerting ? [name] : [],
  );
  const unread = groupUnread(alertState).flatMap(({ vps, reason }) => (reason === 'off' ? [] : vps));
  const unreadText = unread.length === 0 ? [] : [`? can't read ${formatUnreadSubject(condition, unread)}`];
  const overText = over.length === 0 ? [] : [`⚠ ${formatShortList(over, maxNames)}`];
  return [...overText, ...unreadText].join('; ') || '✓ nothing';
}

/** Returns notes that say which VPS an active watch can't read. */
function readFailureNotes({ state, condition, alertState }: Watch, nowMs: number): readonly string[] {
  if (state.kind !== 'active') return [];
  return groupUnread(alertState).map(({ vps, reason, sinceMs }) => {
    const subject = formatUnreadSubject(condition, vps);
    const pronoun = vps.length === 1 ? 'it' : 'them';
    return `${capitalize(subject)} couldn't be read for ${formatShortDuration(nowMs - sinceMs)}: ${formatUnreadReason(reason)}. The watch can't alert for ${pronoun} until that changes.`;
  });
}
