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
import { createReply, inviteNote } from './reply.ts';
import { postToResponseUrl } from './response-url.ts';
import { runMessage } from './run-message.ts';
import { cannotSpeakThere, isRefusedBySlack } from './slack-error.ts';

interface AnnouncerParts {
  readonly clients: SlackClients;
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
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
  /** Small print that stays when the message is edited. */
  readonly note?: string;
}

interface News {
  readonly run: Run;
  readonly waitMs?: number;
}

/**
 * Creates what tells of runs: one message for each, in the channel where it was asked, or in the asker's direct messages where the app is in none. Of news that come
 * faster than Slack takes them only the last is told.
 */
export function createAnnouncer({ clients, runs, catalogue, log }: AnnouncerParts): Announcer {
  const latest = new Map<string, News>();
  const telling = new Map<string, Promise<void>>();
  const messages = new Map<string, Posted>();
  const closed = new Set<string>();

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
    try {
      await runs.told(runId, settledMs);
    } catch (error) {
      log.error({ err: error, runId }, 'that a run was announced could not be recorded');
    }
  }

  async function tell({ run, waitMs }: News): Promise<void> {
    const more = waitMs === undefined ? {} : { waitMs };
    const message = runMessage(catalogue, run, more);
    // Of what never came into the queue only its asker knows.
    if ((run.queuedMs === null && !run.approval) || !message) return tellAsker(run);
    const show = (note?: string) => (note && runMessage(catalogue, run, { ...more, note })) || message;
    try {
      await tellTeam(run, show);
    } catch (error) {
      if (!(await tellByUrl(run, message))) throw error;
    }
  }

  async function tellTeam(run: Run, show: (note?: string) => Message): Promise<void> {
    const client = await clients(run.asker.teamId);
    const posted = messages.get(run.id);
    const kept = posted && !run.approval ? undefined : await runs.find(run.id);
    // Whoever has moved it on tells of it.
    if (run.status === 'waiting' && kept?.status !== 'waiting') return;
    if (kept?.approval) await closeCardsOf(client, { ...run, approval: kept.approval });
    const known = posted ?? kept?.message;
    if (known && (await edit(client, known, show))) return;
    const message = await post(client, run, show);
    messages.set(run.id, message);
    await runs.keepMessage(run.id, message);
  }

  /** Closes what a second person was asked as soon as that is decided, once. */
  async function closeCardsOf(client: SlackClient, run: Run): Promise<void> {
    const isDecided = run.status !== 'waiting' && run.progress === null;
    if (!isDecided || closed.has(run.id) || !run.approval?.places.length) return;
    closed.add(run.id);
    for (const error of await closeCards(client, catalogue, run))
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

  /** Edits the message; `false` where somebody has deleted it, or it cannot be edited any more. */
  async function edit(client: SlackClient, { channel, ts, note }: Posted, show: (note?: string) => Message) {
    try {
      await client.chat.update({ channel, ts, ...show(note) });
      return true;
    } catch (error) {
      if (!isRefusedBySlack(error)) throw error;
      return false;
    }
  }

  async function post(client: SlackClient, { asker, origin }: Run, show: (note?: string) => Message) {
    const { channel, threadTs } = origin;
    if (channel !== undefined) {
      try {
        return reference(
          await client.chat.postMessage({ channel, ...(threadTs && { thread_ts: threadTs }), ...show() }),
        );
      } catch (error) {
        if (!cannotSpeakThere(error)) throw error;
      }
    }
    const note = channel === undefined ? undefined : inviteNote;
    const direct = reference(await client.chat.postMessage({ channel: asker.userId, ...show(note) }));
    return { ...direct, ...(note && { note }) };
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
      latest.set(run.id, { run, ...progress });
      if (!telling.has(run.id)) telling.set(run.id, tellAll(run.id));
    },
    async told() {
      await Promise.all(telling.values());
    },
  };
}

function reference({ channel, ts }: { channel?: string; ts?: string }) {
  if (channel === undefined || ts === undefined)
    throw new Error('Slack posted a message without saying where');
  return { channel, ts };
}
