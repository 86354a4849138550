import { isObject, type JsonObject } from '../json.ts';
import { readMessageText } from './read-answers.ts';
import type { SlackMessage, SlackView } from './slack-types.ts';

/** How many lines of traffic a failure shows. */
const maxShownLines = 15;

export function describeMessages(messages: readonly SlackMessage[]): string {
  return list(
    messages.map((message) => {
      const { user, text, ephemeral } = message;
      return `${user}${ephemeral ? ' (ephemeral)' : ''}: ${text || readMessageText(message)}`;
    }),
  );
}

export function describeViews(views: readonly SlackView[]): string {
  return list(views.map(({ type, callback_id, title }) => `${type} "${callback_id}" ${readTitle(title)}`));
}

/** Describes what was sent in both directions, newest last, with what was refused and why. */
export function describeTraffic(lines: readonly JsonObject[]): string {
  return list(lines.slice(-maxShownLines).map(describeLine));
}

function describeLine({
  direction,
  kind,
  refused,
  acknowledged,
  ack_ms,
  answer,
  problems,
}: JsonObject): string {
  if (direction === 'from_app') {
    const messages =
      isObject(answer) && isObject(answer.response_metadata) && answer.response_metadata.messages;
    const details = Array.isArray(messages) ? `: ${messages.join(', ')}` : '';
    return `the app called ${kind}: ${refused ? `${refused}${details}` : 'ok'}`;
  }
  const details = Array.isArray(problems) ? ` (${problems.join(', ')})` : '';
  if (refused) return `Slack sent ${kind}: ${refused}${details}`;
  return `Slack sent ${kind}: ${acknowledged ? `acknowledged after ${ack_ms} ms` : 'not acknowledged yet'}`;
}

function readTitle(title: unknown): string {
  return isObject(title) ? String(title.text) : '';
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '  (nothing)' : lines.map((line) => `  ${line}`).join('\n');
}
