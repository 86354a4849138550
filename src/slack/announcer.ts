import type { Logger } from 'pino';
import type { Catalogue } from '../operations/catalogue.ts';
import type { Announce, Run } from '../operations/runs/run.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { SlackClient, SlackClients } from './clients.ts';
import type { Message } from './render/message.ts';
import { renderProblem } from './render/problem.ts';
import { createReply, inviteNote } from './reply.ts';
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

  async function tellAll(runId: string): Promise<void> {
    for (let news = latest.get(runId); news; news = latest.get(runId)) {
      latest.delete(runId);
      try {
        await tell(news);
      } catch (error) {
        log.error({ err: error, runId }, 'a run could not be announced');
      }
      if (news.run.settledMs !== null) messages.delete(runId);
    }
    telling.delete(runId);
  }

  async function tell({ run, waitMs }: News): Promise<void> {
    const more = waitMs === undefined ? {} : { waitMs };
    const message = runMessage(catalogue, run, more);
    // Of what never came into the queue only its asker knows.
    if (run.queuedMs === null || !message) return tellAsker(run);
    const show = (note?: string) => (note && runMessage(catalogue, run, { ...more, note })) || message;
    const client = await clients(run.asker.teamId);
    const known = messages.get(run.id) ?? (await runs.find(run.id))?.message;
    if (known && (await edit(client, known, show))) return;
    const posted = await post(client, run, show);
    messages.set(run.id, posted);
    await runs.keepMessage(run.id, posted);
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

  /** What only reads has no message of its own: its end is for the asker alone. */
  async function tellAsker({ asker, origin, result }: Run): Promise<void> {
    if (result?.kind === 'problem')
      await createReply(clients, { asker, origin }).tell(renderProblem(result.problem));
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
