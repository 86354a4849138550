import type { Logger } from 'pino';
import type { Catalogue } from '../operations/catalogue.ts';
import { answerLost } from '../operations/runs/problem.ts';
import type { Announce, Run } from '../operations/runs/run.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import { closeCards } from './approvals/close-cards.ts';
import type { SlackClient, SlackClients } from './clients.ts';
import type { Message } from './render/message.ts';
import { renderOutcome } from './render/outcome.ts';
import { renderProblem } from './render/problem.ts';
import { createReply, inDirectWords, inviteNote } from './reply.ts';
import { postToResponseUrl } from './response-url.ts';
import type { RunMessages } from './run-message.ts';
import { cannotSpeakThere, isRefusedBySlack } from './slack-error.ts';

interface AnnouncerParts {
  readonly clients: SlackClients;
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly runMessages: RunMessages;
  readonly log: Pick<Logger, 'error'>;
}

export interface Announcer {
  readonly announce: Announce;
  /** Resolves when everything announced so far has been told. */
  told(): Promise<void>;
}

interface Posted {
  readonly channel: string;
  readonly ts: string;
}

/** Builds the message of a run as it stands, with small print where there is any. */
type Show = (note?: string) => Promise<Message>;

interface News {
  readonly run: Run;
  readonly waitMs?: number;
}

/**
 * Creates what tells of runs: one message for each, in the channel where it was asked, or in the asker's direct messages where the app is in none. Of news that come
 * faster than Slack takes them only the last is told.
 */
export function createAnnouncer({ clients, runs, catalogue, runMessages, log }: AnnouncerParts): Announcer {
  const latest = new Map<string, News>();
  const telling = new Map<string, Promise<void>>();
  const messages = new Map<string, Posted>();
  const closed = new Set<string>();
  const undecided = new Set<string>();

  async function tellAll(runId: string): Promise<void> {
    for (let news = latest.get(runId); news; news = latest.get(runId)) {
      latest.delete(runId);
      try {
        await tell(news);
      } catch (error) {
        log.error({ err: error, runId }, 'a run could not be announced');
      }
      if (news.run.settledMs !== null) await leave(runId, news.run.settledMs);
    }
    telling.delete(runId);
  }

  /** Nothing more need be told of a run, also where it could not be. */
  async function leave(runId: string, settledMs: number): Promise<void> {
    messages.delete(runId);
    closed.delete(runId);
    undecided.delete(runId);
    try {
      await runs.told(runId, settledMs);
    } catch (error) {
      log.error({ err: error, runId }, 'that a run was announced could not be recorded');
    }
  }

  async function tell({ run, waitMs }: News): Promise<void> {
    const more = waitMs === undefined ? {} : { waitMs };
    const message = await runMessages.of(run, more);
    // Of what never came into the queue only its asker knows.
    if ((run.queuedMs === null && !run.approval) || !message) return tellAsker(run);
    const show: Show = async (note) => (note && (await runMessages.of(run, { ...more, note }))) || message;
    try {
      await tellTeam(run, show);
    } catch (error) {
      if (!(await tellByUrl(run, message))) throw error;
    }
  }

  async function tellTeam(run: Run, show: Show): Promise<void> {
    const client = await clients(run.asker.teamId);
    const posted = messages.get(run.id);
    const kept = posted && !run.approval ? undefined : await runs.find(run.id);
    // Whoever has moved it on tells of it.
    if (run.status === 'waiting' && kept?.status !== 'waiting') return;
    if (kept?.approval) await closeCardsOf(client, { ...run, approval: kept.approval });
    const known = posted ?? kept?.message;
    const message = (known && (await edit(client, run, known, show))) ?? (await post(client, run, show));
    messages.set(run.id, message);
    if (message !== known) await runs.keepMessage(run.id, message);
    try {
      if (!known && isElsewhere(run, message)) await createReply(clients, run).point(inDirectWords.invite);
      await tellDecision(client, run, message);
    } catch (error) {
      // The message itself is there.
      log.error({ err: error, runId: run.id }, 'what goes beside the message of a run could not be told');
    }
  }

  /** An edit calls nobody: whoever waited for others is told once, beside the message, what they decided. */
  async function tellDecision(client: SlackClient, run: Run, { channel, ts }: Posted): Promise<void> {
    if (run.settledMs === null || !undecided.delete(run.id)) return;
    // In direct messages whatever is new calls by itself, and a thread is easily missed.
    const thread = channel === run.origin.channel ? { thread_ts: run.origin.threadTs ?? ts } : {};
    await client.chat.postMessage({ channel, ...thread, ...(await runMessages.decision(run)) });
  }

  /** Closes what a second person was asked as soon as that is decided, once. */
  async function closeCardsOf(client: SlackClient, run: Run): Promise<void> {
    const isDecided = run.status !== 'waiting' && run.progress === null;
    if (!isDecided || closed.has(run.id) || !run.approval?.places.length) return;
    closed.add(run.id);
    for (const error of await closeCards(client, runMessages, run))
      log.error({ err: error, runId: run.id }, 'a card could not be closed');
  }

  /** The last resort for the end of a run: where the app can post no message any more, its asker is told where they asked. */
  async function tellByUrl({ origin, settledMs }: Run, message: Message): Promise<boolean> {
    const { responseUrl, threadTs } = origin;
    if (settledMs === null || responseUrl === undefined) return false;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    return postToResponseUrl(responseUrl, {
      response_type: 'ephemeral',
      replace_original: false,
      ...thread,
      ...message,
    });
  }

  /** Edits the message; nothing where somebody has deleted it, or it cannot be edited any more. */
  async function edit(client: SlackClient, run: Run, posted: Posted, show: Show) {
    const { channel, ts } = posted;
    const note = isElsewhere(run, posted) ? inviteNote : undefined;
    try {
      await client.chat.update({ channel, ts, ...(await show(note)) });
      return posted;
    } catch (error) {
      if (!isRefusedBySlack(error)) throw error;
      return undefined;
    }
  }

  async function post(client: SlackClient, { asker, origin }: Run, show: Show) {
    const { channel, threadTs } = origin;
    if (channel !== undefined) {
      try {
        return reference(
          await client.chat.postMessage({
            channel,
            ...(threadTs && { thread_ts: threadTs }),
            ...(await show()),
          }),
        );
      } catch (error) {
        if (!cannotSpeakThere(error)) throw error;
      }
    }
    const note = channel === undefined ? undefined : inviteNote;
    return reference(await client.chat.postMessage({ channel: asker.userId, ...(await show(note)) }));
  }

  /** What only reads, or never came into the queue, has no message of its own: its end is for the asker alone. */
  async function tellAsker({ id, asker, origin, operation, input, result }: Run): Promise<void> {
    const reply = createReply(clients, { asker, origin });
    if (result?.kind === 'problem') return reply.tell(renderProblem(result.problem));
    if (result?.kind !== 'outcome') return;
    // What was read may be old by now; what was done is done.
    const isRead = catalogue.find(operation)?.kind === 'read';
    await reply.tell(
      isRead ? renderProblem(answerLost(operation, input)) : renderOutcome(result.outcome, { runId: id }),
    );
  }

  return {
    announce(run, progress) {
      if (isDecidedByOthers(run)) undecided.add(run.id);
      latest.set(run.id, { run, ...progress });
      if (!telling.has(run.id)) telling.set(run.id, tellAll(run.id));
    },
    async told() {
      await Promise.all(telling.values());
    },
  };
}

/** Tells whether the message of a run is not where it was asked, since the app could not speak there. */
function isElsewhere({ origin }: Run, { channel }: Posted): boolean {
  return origin.channel !== undefined && channel !== origin.channel;
}

/** Tells whether others have settled just now what its asker waited for them to decide. */
function isDecidedByOthers({ asker, approval, settledMs, progress, result }: Run): boolean {
  const isTakenBack = result?.kind === 'problem' && result.problem.by === asker.userId;
  return approval !== null && settledMs !== null && progress === null && !isTakenBack;
}

function reference({ channel, ts }: { channel?: string; ts?: string }) {
  if (channel === undefined || ts === undefined)
    throw new Error('Slack posted a message without saying where');
  return { channel, ts };
}
