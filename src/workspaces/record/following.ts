import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Catalogue } from '../../operations/catalogue.ts';
import type { Outcome } from '../../operations/outcome.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import type { Follower, FollowerStore, Taken } from './follower-store.ts';
import type { NameOf } from './names.ts';
import { isNews, type News, newsOf } from './news.ts';

/** What came of telling a channel: it heard it, it can hear nothing any more, or not before so many ms have passed. */
export type Told = 'told' | 'gone' | { readonly againInMs: number };

/** Speaks to channels and people without being asked. */
export interface RecordVoice {
  /** Tells a channel some news in one message that calls nobody. */
  tellChannel(teamId: string, channel: string, news: readonly News[]): Promise<Told>;
  /** Says in a channel that it follows along from now on. */
  greet(teamId: string, channel: string): Promise<Told>;
  /** Tells a person by a direct message. */
  tellPerson(teamId: string, userId: string, outcome: Outcome): Promise<void>;
}

interface FollowingParts {
  readonly followers: FollowerStore;
  readonly runs: Pick<RunStore, 'record'>;
  readonly catalogue: Catalogue;
  readonly voice: RecordVoice;
  readonly nameOf: NameOf;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly now: () => number;
}

export interface RecordFollowing {
  /** Looks from now on, from time to time. */
  start(): void;
  /** Resolves when no channel is being told any more. */
  stop(): Promise<void>;
  /** Tells the channels that follow along what they have not been told, one message each. */
  look(): Promise<void>;
}

/** Pause between two looks. Slack takes one message a second in a channel. */
const lookEveryMs = 2_000;

/** How long a process is taken to be alive after its last look: longer than Slack may take for an answer, twice. */
const leaseMs = 60_000;

/** Lines of one message: when more has ended, the rest is in the next. */
const mostLines = 20;

/** Creates what tells channels that follow along. Whichever process has taken a channel tells it; if that dies, the next may say its last message again. */
export function createRecordFollowing(parts: FollowingParts): RecordFollowing {
  const { followers, runs, catalogue, voice, nameOf, log, now } = parts;
  const owner = randomUUID();
  const pausedUntilMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isStopped = false;

  async function end(follower: Follower): Promise<void> {
    if (!(await followers.remove(follower))) return;
    const { teamId, channel, setBy: userId } = follower;
    const outcome = {
      title: 'A channel does not follow the record any more',
      facts: [{ label: 'Channel', value: { channel } }],
      notes: ['It is archived, or the app is not in it any more: invite the app there, and set it again.'],
      next: [{ label: 'Record', operation: 'history', input: {} }],
    };
    const asker = { teamId, userId };
    const target = `#${channel}`;
    await runs.record({ asker, operation: 'history', target, status: 'done', outcome, nowMs: now() });
    await voice.tellPerson(teamId, userId, outcome).catch((error: unknown) => {
      log.warn({ err: error }, 'nobody could be told that a channel does not follow the record any more');
    });
  }

  async function tell(follower: Taken): Promise<void> {
    const { teamId, channel } = follower;
    if ((pausedUntilMs.get(teamId) ?? 0) > now()) return;
    const ended = await followers.untold(follower, mostLines);
    const worth = ended.filter((run) => isNews(run, catalogue));
    if (worth.length > 0) {
      const news = await Promise.all(worth.map((run) => newsOf(run, catalogue, nameOf)));
      const told = await voice.tellChannel(teamId, channel, news);
      if (told === 'gone') return end(follower);
      if (told !== 'told') {
        pausedUntilMs.set(teamId, now() + told.againInMs);
        return;
      }
      pausedUntilMs.delete(teamId);
    }
    await followers.keepTold(follower, ended);
  }

  async function look(): Promise<void> {
    const nowMs = now();
    const taken = await followers.take({ owner, untilMs: nowMs + leaseMs }, nowMs);
    const told = await Promise.allSettled(taken.map(tell));
    for (const one of told) {
      if (one.status === 'rejected') log.error({ err: one.reason }, 'a channel could not be told the record');
    }
  }

  /** Each look is over before the next begins. */
  function lookAgain(): void {
    timer = setTimeout(() => {
      looking = look()
        .catch((error) => log.error({ err: error }, 'the record could not be followed'))
        .finally(() => isStopped || lookAgain());
    }, lookEveryMs);
    timer.unref();
  }

  return {
    look,
    start: lookAgain,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      await followers.release(owner);
    },
  };
}
