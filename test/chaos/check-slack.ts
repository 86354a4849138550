import { z } from 'zod';
import { runStatusLabels } from '../../src/runs/run-status.ts';
import { blocksText, type SlackMessage } from '../stack.ts';
import type { MessageRow, RunRow, SentCommand } from './check.ts';
import type { World } from './faults.ts';

/** What a message says when it says that it may be a repeat, because the app couldn't look for the first one. */
const repeatNote = 'This may be a repeat';

/** The states of a change that hasn't ended. */
const unfinished = /: (⏳ Queued|⏸️ Waiting|🔄 Running|🔄 In progress(?! when last checked))/;

/** Answers that don't name the VPS of the command. */
const unnamedAnswer =
  /Rackhand (restarted|stopped)|can't reach its database|Too many of your requests are still running/;

const posted = z.looseObject({
  metadata: z.looseObject({ event_payload: z.looseObject({ key: z.string() }) }),
});

const progressSchema = z.looseObject({ isFinished: z.boolean(), isEndUnknown: z.boolean().optional() });

/** What a person sees in the channel and in the direct messages with the app. */
interface Seen {
  readonly user: string;
  readonly channel: readonly SlackMessage[];
  readonly direct: readonly SlackMessage[];
}

export async function readSlack(slack: World['slack'], users: readonly string[]): Promise<readonly Seen[]> {
  return Promise.all(
    users.map(async (user) => ({
      user,
      channel: await slack.messages('C0OPS', user),
      direct: await slack.messages(user, user),
    })),
  );
}

/** Returns whether the work that a change has started is still followed. */
export function isFollowed({ operation, status, progress }: RunRow): boolean {
  if (operation === 'show' || status !== 'done') return false;
  return progress === null || !progressSchema.parse(JSON.parse(progress)).isFinished;
}

/** Returns what is untrue in Slack: each message must stand there once and in its last state. */
export function findUntrueMessages(
  seen: readonly Seen[],
  rows: readonly MessageRow[],
  runs: readonly RunRow[],
): readonly string[] {
  const inChannel = seen[0]?.channel.filter(({ ephemeral }) => !ephemeral) ?? [];
  const all = [...inChannel, ...seen.flatMap(({ direct }) => direct)];
  const byKey = Map.groupBy(all, (message) => posted.safeParse(message).data?.metadata.event_payload.key);
  const unsent = rows.filter(({ due_at: dueAt, problem }) => dueAt !== null || problem !== null);
  const repeated = [...byKey].filter(([key, messages]) => key !== undefined && countFirsts(messages) > 1);
  const changes = runs.filter(({ operation, queued_at }) => operation !== 'show' && queued_at !== null);
  return [
    ...unsent.map(({ key, problem }) => `message ${key} wasn't sent: ${problem ?? 'it is still due'}`),
    ...repeated.map(([key, messages]) => `message ${key} stands ${messages.length} times`),
    ...changes.flatMap((run) => findWrongStates(run, byKey.get(`run:${run.id}`) ?? [])),
    ...all
      .filter(({ text }) => unfinished.test(text))
      .map(({ text }) => `Slack shows “${text}” after everything has ended`),
  ];
}

const countFirsts = (messages: readonly SlackMessage[]) =>
  messages.filter((message) => !blocksText(message).includes(repeatNote)).length;

function findWrongStates(run: RunRow, messages: readonly SlackMessage[]): readonly string[] {
  if (messages.length === 0) return [`run ${run.id} (${run.input}) has no message`];
  return messages
    .filter(({ text }) => !text.includes(toLastState(run)))
    .map(({ text }) => `run ${run.id} is ${toLastState(run)}, but Slack shows “${text}”`);
}

function toLastState({ status, progress }: RunRow): string {
  const isEndUnknown = progress !== null && progressSchema.parse(JSON.parse(progress)).isEndUnknown;
  return status === 'done' && isEndUnknown ? '🔄 In progress when last checked' : runStatusLabels[status];
}

/**
 * Returns the acknowledged commands that nothing in Slack answers. Some answers don't name the VPS, so
 * as many commands of their reader count as answered by them. Otherwise, a command is answered before the next one with its VPS.
 */
export function findUnanswered(seen: readonly Seen[], sent: readonly SentCommand[]): readonly SentCommand[] {
  return seen.flatMap(({ user, channel, direct }) => {
    // A notice that Rackhand is still working isn't an answer.
    const answers = [...channel, ...direct].filter(({ text }) => !text.startsWith('⏳'));
    const own = sent
      .filter((command) => command.user === user && command.isAcknowledged)
      .toSorted((a, b) => a.atMs - b.atMs);
    const answerTimes = Map.groupBy(
      answers.flatMap((message) =>
        [...new Set(JSON.stringify(message).match(/VPS-\d+/g))].map((vps) => ({
          vps,
          atMs: Number(message.ts) * 1_000,
        })),
      ),
      ({ vps }) => vps,
    );
    const unnamed = answers.filter(({ text }) => unnamedAnswer.test(text)).length;
    const left = [...Map.groupBy(own, ({ vps }) => vps)].flatMap(([vps, commands]) =>
      commands.filter(({ atMs }, index) => {
        const untilMs = commands[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
        return !answerTimes.get(vps)?.some((answer) => answer.atMs >= atMs && answer.atMs < untilMs);
      }),
    );
    return left.slice(unnamed);
  });
}
