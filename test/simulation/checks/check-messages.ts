import type { Selectable } from 'kysely';
import type { Schema } from '../../../src/db/schema/schema.ts';
import { toRunMessageKey } from '../../../src/runs/run-messages.ts';
import { toRunText } from '../outside/render-text.ts';
import type { SlackPost } from '../outside/slack.ts';
import type { World } from '../world.ts';
import { formatName, type RunRow } from './run-rows.ts';

type MessageRow = Selectable<Schema['message']>;

const listMessages = ({ shared }: World): Promise<MessageRow[]> =>
  shared.db.selectFrom('message').selectAll().execute();

/** Returns whether a message must still be sent. */
export async function hasUnsentMessages(world: World): Promise<boolean> {
  return (await listMessages(world)).some(({ due_at }) => due_at !== null);
}

/** Each message stands once, in its last state, where people can read it. Otherwise, somebody was told. */
export async function checkMessages(world: World, runs: readonly RunRow[]): Promise<string[]> {
  const messages = await listMessages(world);
  const problems = messages.flatMap((message) => [
    ...checkCopies(world, message),
    ...checkGivenUp(world, message),
  ]);
  const late = messages.filter(({ due_at }) => due_at !== null);
  return [
    ...problems,
    ...late.map(({ key }) => `message ${key} is still to be sent`),
    ...runs.flatMap((run) => checkRunMessage(world, messages, run)),
  ];
}

/** How long a call to Slack usually takes. */
const callMs = 1_000;

/** Nobody can be told after the app was removed. */
const canTell = ({ slack }: World) => !slack.isRemoved();

function checkRunMessage(world: World, messages: readonly MessageRow[], run: RunRow): string[] {
  const key = toRunMessageKey(run.id);
  const message = messages.find((one) => one.key === key);
  const isPublic = run.batch_id === null && run.title !== null && run.queued_at !== null;
  if (!isPublic || run.settled_at === null || !canTell(world)) return [];
  if (!message) return [`${formatName(run)} has no message`];
  if (message.given_up_at !== null) return [];
  // Another post of this message says that it may be a repeat, which `checkCopies` checks.
  const shown = world.slack.posts.find((post) => post.ts === message.ts && !post.isDeleted);
  const wanted = toRunText({ status: run.status, progress: run.progress && JSON.parse(run.progress) });
  return shown?.text === wanted ? [] : [`${formatName(run)}: its message says ${shown?.text}, not ${wanted}`];
}

/** The person or an admin knows that a message couldn't be delivered. */
function checkGivenUp(world: World, { key, problem, given_up_at }: MessageRow): string[] {
  if (given_up_at === null || !canTell(world)) return [];
  const isTold = world.slack.posts.some((post) => post.key.startsWith(`undeliverable:${key}:`));
  return isTold ? [] : [`message ${key} was given up (${problem}), and nobody was told`];
}

/** A message doesn't stand twice, unless the second one says that it may be a repeat. */
function checkCopies(world: World, { key }: MessageRow): string[] {
  const { slack } = world;
  const copies = slack.posts.filter(
    (post) => post.key === key && !post.isDeleted && !slack.isArchived(post.channel),
  );
  if (copies.some((copy) => isOfLostProcess(world, copy))) return [];
  const unmarked = copies.filter(({ mayRepeat }) => !mayRepeat).length;
  return unmarked > 1 ? [`message ${key} stands ${unmarked} times`] : [];
}

/** Only a process that was frozen posts after another one has, and it deletes its copy unless it then crashes. */
function isOfLostProcess({ events }: World, { postedMs }: SlackPost): boolean {
  const hasFrozen = (name: string) =>
    events.some((event) => event.kind === 'frozen' && event.processName === name && event.atMs < postedMs);
  return events.some(
    (event) =>
      event.kind === 'crashed' && Math.abs(event.atMs - postedMs) <= callMs && hasFrozen(event.processName),
  );
}
