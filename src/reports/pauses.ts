import type { Logger } from 'pino';
import type { Outcome } from '../operations/outcome.ts';
import type { Asker } from '../operations/runs/run.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Clock } from './schedule/clock.ts';
import type { PauseReason } from './schedule/report.ts';
import { listWords } from './summary/words.ts';
import type { ReportVoice } from './voice.ts';

/** A report or a watch, as far as it may rest. */
interface Resting {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly channel: string;
  readonly madeBy: string;
  readonly state:
    | { readonly kind: 'paused'; readonly reason: PauseReason }
    | { readonly kind: 'active' | 'deleted' };
}

/** What people call it that rests. */
type Noun = 'report' | 'watch';

interface PausesParts {
  readonly noun: Noun;
  readonly store: {
    /** Takes up, for this process alone, what rests without the knowledge of whoever made it, and nobody has taken up since `sinceMs`. */
    claimUntold(nowMs: number, sinceMs: number): Promise<readonly Resting[]>;
    keepTold(ids: readonly string[], nowMs: number): Promise<void>;
  };
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: Pick<ReportVoice, 'tellPerson'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Tells whoever made what Rackhand lets rest. */
export interface Pauses {
  /** Tells of each pause that its person does not know of, each person once of all that rest for one reason. Never rejects: what fails is tried again. */
  tell(): Promise<void>;
  /** Tells what was left untold by a process that has ended. */
  start(): Promise<void>;
  stop(): void;
}

/** What a process has taken up and not told after so long, another tells. */
const againAfterMs = 5 * 60_000;

/** Names that one word lists. */
const mostNamed = 10;

/** Creates what tells of reports, or of watches, that Rackhand lets rest. */
export function createPauses({ noun, store, runs, voice, clock, log }: PausesParts): Pauses {
  let cancel = () => {};
  let isStopped = false;

  async function tellOf(asker: Asker, reason: PauseReason, resting: readonly Resting[]): Promise<void> {
    const outcome = describePause(noun, reason, resting);
    await voice.tellPerson(asker, outcome);
    const nowMs = clock.now();
    await store.keepTold(
      resting.map(({ id }) => id),
      nowMs,
    );
    const target = namesOf(resting);
    await runs.record({ asker, operation: `${noun} pause`, target, status: 'done', outcome, nowMs });
  }

  function tellLater(): void {
    cancel();
    if (isStopped) return;
    cancel = clock.setTimer(clock.now() + againAfterMs, () => void tell());
  }

  async function tell(): Promise<void> {
    const nowMs = clock.now();
    await orLater(async () => {
      const untold = await store.claimUntold(nowMs, nowMs - againAfterMs);
      for (const { asker, reason, resting } of groupsOf(untold))
        await orLater(() => tellOf(asker, reason, resting));
    });
  }

  async function orLater(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, `nobody could be told that a ${noun} rests; it is tried again`);
      tellLater();
    }
  }

  return {
    tell,
    async start() {
      tellLater();
      await tell();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function groupsOf(untold: readonly Resting[]) {
  const paused = untold.flatMap((one) =>
    one.state.kind === 'paused' ? [{ one, reason: one.state.reason }] : [],
  );
  const groups = Map.groupBy(paused, ({ one, reason }) =>
    [one.teamId, one.madeBy, reason, ...(reason === 'channel' ? [one.channel] : [])].join(' '),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            asker: { teamId: first.one.teamId, userId: first.one.madeBy },
            reason: first.reason,
            resting: [first, ...others].map(({ one }) => one),
          },
        ]
      : [],
  );
}

/** Says in a sentence why a report or a watch rests. */
export function reasonWords(reason: PauseReason, noun: Noun): string {
  switch (reason) {
    case 'person':
      return 'Somebody paused it.';
    case 'channel':
      return `Its channel is archived or deleted, or the app is not in it any more: invite the app there and resume the ${noun}, or edit it to go to another channel.`;
    case 'key':
      return `The hosting service does not accept an API key of this workspace any more, or there is none: connect one, and resume the ${noun}.`;
    case 'schedule':
      return `It is not understood any more: edit it, and resume the ${noun}.`;
  }
}

const nouns = {
  report: { many: 'reports', list: 'Reports' },
  watch: { many: 'watches', list: 'Watches' },
} as const;

function describePause(noun: Noun, reason: PauseReason, resting: readonly Resting[]): Outcome {
  const [first] = resting;
  const only = resting.length === 1 ? first : undefined;
  const { many, list } = nouns[noun];
  const input = { name: only?.name ?? '' };
  return {
    title: only ? `The ${noun} "${only.name}" rests` : `${resting.length} ${many} rest`,
    facts: [
      ...(only ? [] : [{ label: list, value: namesOf(resting) }]),
      ...(first && (only || reason === 'channel')
        ? [{ label: 'Channel', value: { channel: first.channel } }]
        : []),
    ],
    notes: [reasonWords(reason, noun)],
    next: [
      ...(only
        ? [
            { label: 'Resume', operation: `${noun} resume`, input },
            { label: 'Edit', operation: `${noun} edit`, input, opensForm: true },
          ]
        : []),
      { label: list, operation: `${noun} list`, input: {} },
    ],
  };
}

function namesOf(resting: readonly Resting[]): string {
  return listWords(
    resting.map(({ name }) => name),
    mostNamed,
  );
}
