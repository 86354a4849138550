import type { Logger } from 'pino';
import type { Outcome } from '../operations/outcome.ts';
import { type Clock, waitUntil } from '../reports/schedule/clock.ts';
import type { Spoken } from '../reports/voice.ts';
import { isOpen } from './incident.ts';
import { tellIncident, tellJoined, tellLeft } from './tell-incident.ts';
import type { WatchVoice } from './voice.ts';
import type { Standing, Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

interface TellingParts {
  readonly store: Pick<WatchStore, 'keep' | 'pause' | 'list'>;
  readonly voice: WatchVoice;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Brings what watches have to tell to their channels. */
export interface Tell {
  /** Shows how a watch stands in its one message: posts it, edits it, closes it. What Slack does not take now is told the next time. */
  (watch: Watch, signal: AbortSignal): Promise<void>;
  /** Closes the message of a watch that does not look any more, as far as Slack takes that. */
  leave(watch: Watch, why: string): Promise<void>;
}

/** Longest pause that Slack may want before a word is left for the next round, and pauses for one word: together less than a round. */
const longestPauseMs = 20_000;
const mostPauses = 2;

/** How often figures and lengths are brought up to date while nothing else changes. An edit calls nobody. */
const refreshMs = 10 * 60_000;

const mayRepeat =
  'This may be a repeat: Rackhand was interrupted while it posted this before, and cannot read here whether it did.';

/** Creates what tells of watches. */
export function createTelling({ store, voice, clock, log }: TellingParts): Tell {
  /** Waits as Slack wants it, for this channel alone; gives its last answer. */
  async function speak<Word extends string>(
    say: () => Promise<Spoken | Word>,
    signal: AbortSignal,
  ): Promise<Spoken | Word> {
    for (let left = mostPauses; ; left -= 1) {
      const spoken = await say();
      if (typeof spoken !== 'object' || !('againInMs' in spoken)) return spoken;
      if (left === 0 || spoken.againInMs > longestPauseMs) return spoken;
      await waitUntil(clock, clock.now() + spoken.againInMs, signal);
    }
  }

  const wordsOf = (watch: Watch, notes?: readonly string[]): Outcome | undefined => {
    const { incident } = watch.standing;
    return incident
      ? tellIncident({ watch, incident, nowMs: clock.now(), ...(notes && { notes }) })
      : undefined;
  };

  const keep = (watch: Watch, more: Partial<Standing>) => store.keep(watch, { ...watch.standing, ...more });

  /** Speaks; what Slack does not take in full it may take in one line. */
  async function speakOrShorten<Word extends string>(
    outcome: Outcome,
    say: (outcome: Outcome) => Promise<Spoken | Word>,
    signal: AbortSignal,
  ): Promise<Spoken | Word> {
    const spoken = await speak(() => say(outcome), signal);
    if (typeof spoken !== 'object' || !('refusedAs' in spoken)) return spoken;
    log.warn({ refusedAs: spoken.refusedAs }, 'Slack does not take what a watch tells');
    return speak(() => say({ title: outcome.title }), signal);
  }

  /** Gives the watch with what Slack shows of it now. */
  async function keepShown(watch: Watch, ts: string): Promise<Watch | undefined> {
    const { incident } = watch.standing;
    const shown = incident && { ...incident, isStale: false, shownMs: clock.now() };
    const kept = await keep(watch, { incident: shown, messageTs: ts, postingMs: null });
    if (!kept) await leaveChanged(watch, ts);
    return kept;
  }

  /** What was told while somebody paused, changed or deleted the watch must not stand there as if it still looked. */
  async function leaveChanged(watch: Watch, ts: string): Promise<void> {
    const now = (await store.list(watch.teamId)).find(({ id }) => id === watch.id);
    const isSame = now?.standing.incident?.beganMs === watch.standing.incident?.beganMs;
    if (!isSame)
      await leave({ ...watch, standing: { ...watch.standing, messageTs: ts } }, 'the watch was changed');
  }

  async function begin(watch: Watch, signal: AbortSignal): Promise<Watch | undefined> {
    const { incident, postingMs } = watch.standing;
    if (!incident) return undefined;
    const mark = { watchId: watch.id, beganMs: incident.beganMs };
    const sought = postingMs === null ? 'none' : await voice.find(watch, mark, postingMs);
    if (typeof sought === 'object') {
      // It may tell what was then.
      return keep(watch, { incident: { ...incident, isStale: true }, messageTs: sought.ts, postingMs: null });
    }
    let marked: Watch | undefined;
    const outcome = wordsOf(watch, sought === 'unreadable' ? [mayRepeat] : undefined);
    if (!outcome) return undefined;
    const post = async (words: Outcome): Promise<Spoken | 'lost'> => {
      marked = await keep(marked ?? watch, { postingMs: clock.now() });
      return marked ? voice.post(watch, mark, words) : 'lost';
    };
    const spoken = await speakOrShorten(outcome, post, signal);
    if (spoken === 'lost' || !marked) return undefined;
    if (spoken === 'gone' || 'refusedAs' in spoken) {
      await store.pause(marked, 'channel', null, clock.now());
      return undefined;
    }
    if ('ts' in spoken) return keepShown(marked, spoken.ts);
    // Slack has taken nothing: this was no attempt that may have come through.
    await keep(marked, { postingMs });
    return undefined;
  }

  async function edit(watch: Watch, ts: string, signal: AbortSignal): Promise<Watch | undefined> {
    const outcome = wordsOf(watch);
    if (!outcome) return undefined;
    const edited = await speakOrShorten(outcome, (words) => voice.edit(watch, ts, words), signal);
    if (edited === 'gone') {
      await store.pause(watch, 'channel', null, clock.now());
      return undefined;
    }
    // Somebody has deleted it: what is still over is told anew.
    if (edited === 'missing')
      return keep(watch, { messageTs: null, ...(isOver(watch) && { incident: null }) });
    return 'ts' in edited ? keepShown(watch, ts) : undefined;
  }

  async function tellOfJoined(watch: Watch, signal: AbortSignal): Promise<Watch | undefined> {
    const { incident, messageTs } = watch.standing;
    if (!incident || messageTs === null || incident.joined.length === 0) return watch;
    const outcomes = tellJoined({ watch, incident, nowMs: clock.now() });
    // The message tells of them already, so that what is lost here is not lost.
    const kept = await keep(watch, { incident: { ...incident, joined: [] } });
    if (!kept) return undefined;
    for (const outcome of outcomes) await speak(() => voice.reply(watch, messageTs, outcome), signal);
    return kept;
  }

  async function tell(watch: Watch, signal: AbortSignal): Promise<void> {
    const { incident, messageTs } = watch.standing;
    if (!incident) return;
    let shown: Watch | undefined = watch;
    if (messageTs === null) shown = await begin(watch, signal);
    const ts = shown?.standing.messageTs ?? null;
    if (shown && ts !== null && mustShow(shown)) shown = await edit(shown, ts, signal);
    if (shown) shown = await tellOfJoined(shown, signal);
    const left = shown?.standing.incident;
    if (shown && left && !left.isStale && !isOpen(left)) {
      await keep(shown, { incident: null, messageTs: null, postingMs: null });
    }
  }

  function mustShow({ standing: { incident } }: Watch): boolean {
    if (!incident) return false;
    return incident.isStale || (isOpen(incident) && clock.now() - (incident.shownMs ?? 0) >= refreshMs);
  }

  async function leave(watch: Watch, why: string): Promise<void> {
    const { incident, messageTs } = watch.standing;
    if (!incident || messageTs === null) return;
    try {
      const words = tellLeft({ watch, incident, nowMs: clock.now() }, why);
      await speakOrShorten(
        words,
        (shown) => voice.edit(watch, messageTs, shown),
        new AbortController().signal,
      );
    } catch (error) {
      log.warn({ err: error, watchId: watch.id }, 'the message of a watch could not be closed');
    }
  }

  return Object.assign(tell, { leave });
}

function isOver({ standing: { incident } }: Watch): boolean {
  return incident !== null && !isOpen(incident);
}
