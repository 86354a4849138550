import type { Logger } from 'pino';
import type { Outcome } from '../operations/outcome.ts';
import type { Asker } from '../operations/runs/run.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { PauseReason } from '../reports/schedule/report.ts';
import { listWords } from '../reports/summary/words.ts';
import type { WatchVoice } from './voice.ts';
import type { Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

interface WatchPausesParts {
  readonly store: Pick<WatchStore, 'pause' | 'untold' | 'keepTold'>;
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: Pick<WatchVoice, 'tellPerson'>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** Lets watches rest that cannot look or cannot tell, and tells whoever made them. */
export interface WatchPauses {
  pause(watch: Watch, reason: PauseReason): Promise<void>;
  /** Tells whoever made watches of the pauses that they do not know of, each person once of all that rest for one reason. */
  tell(): Promise<void>;
}

/** Watches that one word names. */
const mostNamed = 10;

/** Creates what lets watches rest. */
export function createWatchPauses({ store, runs, voice, now, log }: WatchPausesParts): WatchPauses {
  async function tellOf(asker: Asker, reason: PauseReason, watches: readonly Watch[]): Promise<void> {
    const outcome = describePause(reason, watches);
    try {
      await voice.tellPerson(asker, outcome);
    } catch (error) {
      log.warn({ err: error, teamId: asker.teamId }, 'nobody could be told that a watch rests');
      return;
    }
    await store.keepTold(
      watches.map(({ id }) => id),
      now(),
    );
    const target = listWords(
      watches.map(({ name }) => name),
      mostNamed,
    );
    await runs.record({ asker, operation: 'watch pause', target, status: 'done', outcome, nowMs: now() });
  }

  return {
    async pause(watch, reason) {
      await store.pause(watch, reason, null, now());
    },

    async tell() {
      const untold = (await store.untold()).flatMap((watch) =>
        watch.state.kind === 'paused' ? [{ watch, reason: watch.state.reason }] : [],
      );
      const groups = Map.groupBy(untold, ({ watch, reason }) =>
        [watch.teamId, watch.madeBy, reason, ...(reason === 'channel' ? [watch.channel] : [])].join(' '),
      );
      for (const group of groups.values()) {
        const [first] = group;
        if (!first) continue;
        const asker = { teamId: first.watch.teamId, userId: first.watch.madeBy };
        await tellOf(
          asker,
          first.reason,
          group.map(({ watch }) => watch),
        );
      }
    },
  };
}

const reasons: Readonly<Record<PauseReason, string>> = {
  person: 'Somebody paused it.',
  channel:
    'Its channel is archived or deleted, or the app is not in it any more: invite the app there and resume the watch, or set it for another channel.',
  key: 'The hosting service does not accept an API key of this workspace any more, or there is none: connect one, and resume the watch.',
  schedule: 'It is not understood any more: delete it, and set it anew.',
};

/** Says in a sentence why a watch rests. */
export function reasonWords(reason: PauseReason): string {
  return reasons[reason];
}

function describePause(reason: PauseReason, watches: readonly Watch[]): Outcome {
  const [first] = watches;
  const names = watches.map(({ name }) => name);
  const isOne = first && watches.length === 1;
  return {
    title: isOne ? `The watch "${first.name}" rests` : `${watches.length} watches rest`,
    facts: [
      ...(isOne ? [] : [{ label: 'Watches', value: listWords(names, mostNamed) }]),
      ...(first && (isOne || reason === 'channel')
        ? [{ label: 'Channel', value: { channel: first.channel } }]
        : []),
    ],
    notes: [reasons[reason]],
    next: [
      ...(isOne ? [{ label: 'Resume', operation: 'watch resume', input: { name: first.name } }] : []),
      { label: 'Watches', operation: 'watch list', input: {} },
    ],
  };
}
