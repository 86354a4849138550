import type { Exchange } from '../../../../traffic/traffic-lines.ts';
import { readText } from './nested-json.ts';

/** Why something was rejected, and how to fix it. */
export interface ErrorReason {
  readonly text: string;
  readonly hint: string;
}

const callErrors: Readonly<Record<string, ErrorReason>> = {
  not_authed: {
    text: 'The call came without a token.',
    hint: 'Send it as “Authorization: Bearer …”. A token in the URL does not count.',
  },
  invalid_auth: {
    text: 'This sandbox does not know the token.',
    hint: 'Its tokens are printed when it starts, and are at /sandbox/settings.',
  },
  token_revoked: { text: 'The token was revoked.', hint: 'Reset the workspace under Faults to get it back.' },
  not_allowed_token_type: {
    text: 'This method needs another kind of token.',
    hint: 'apps.connections.open needs the app-level token (xapp-…), all other methods the bot token (xoxb-…).',
  },
  missing_scope: {
    text: 'The app lacks a scope.',
    hint: 'Add it to oauth_config.scopes.bot in the manifest, then restart the sandbox.',
  },
  not_in_channel: {
    text: 'The app is not in this channel.',
    hint: 'Invite it, call conversations.join, or request the scope chat:write.public.',
  },
  channel_not_found: {
    text: 'There is no such channel, or the app cannot see it.',
    hint: 'Pass a channel’s id (C0OPS), or a person’s id for direct messages.',
  },
  user_not_in_channel: {
    text: 'The person is not in this channel.',
    hint: 'The reader of an ephemeral message must be in the channel. Send a direct message instead.',
  },
  user_not_found: {
    text: 'There is no such person in this workspace.',
    hint: 'Check whether the id belongs to another workspace.',
  },
  is_archived: { text: 'The channel is archived.', hint: 'No one can post there.' },
  invalid_blocks: {
    text: 'The blocks break a rule of Block Kit.',
    hint: 'Each problem below has a location, which is highlighted in the payload.',
  },
  invalid_arguments: {
    text: 'An argument is missing or not valid.',
    hint: 'Each problem below has a location, which is highlighted in the payload.',
  },
  view_too_large: {
    text: 'The view is larger than 250 kB.',
    hint: 'Show fewer items, or split them into pages.',
  },
  no_text: {
    text: 'The message is empty.',
    hint: 'Pass text, even with blocks: notifications and screen readers use it.',
  },
  msg_too_long: {
    text: 'The text is too long.',
    hint: 'Keep it below 4,000 characters. The maximum is 40,000.',
  },
  msg_blocks_too_long: {
    text: 'The blocks of the message have too many characters in total.',
    hint: 'About 13,000 are allowed. Split the message, or upload a file.',
  },
  expired_trigger_id: {
    text: 'The trigger_id is older than 3 seconds.',
    hint: 'Open the modal first with a loading view, then fill it with views.update.',
  },
  exchanged_trigger_id: {
    text: 'The trigger_id has already been used.',
    hint: 'It can open one view only. Update that one with views.update.',
  },
  invalid_trigger_id: {
    text: 'There is no such trigger_id.',
    hint: 'Use it exactly as in the payload.',
  },
  push_limit_reached: {
    text: 'Three views are open already.',
    hint: 'Update the top view instead of pushing another.',
  },
  hash_conflict: {
    text: 'The view has changed since this hash was read.',
    hint: 'Use the hash from the latest response or payload, or omit it.',
  },
  not_found: { text: 'There is no such view.', hint: 'The view was closed, or the view_id is wrong.' },
  duplicate_external_id: {
    text: 'Another open view has this external_id.',
    hint: 'Make it unique for each view that is opened.',
  },
  message_not_found: {
    text: 'There is no such message in this channel.',
    hint: 'Check channel and ts. An ephemeral message can only be changed through its response_url.',
  },
  cant_update_message: {
    text: 'The app did not post this message.',
    hint: 'An app can update only its own messages.',
  },
  thread_not_found: {
    text: 'There is no message with this thread_ts in the channel.',
    hint: 'Pass the ts of the thread’s first message.',
  },
  ratelimited: {
    text: 'Too many calls of this method.',
    hint: 'Wait as long as Retry-After says. For messages, the limit is one per second and channel.',
  },
  unknown_method: {
    text: 'The sandbox does not support this method.',
    hint: 'Check its spelling and the README’s list of supported methods.',
  },
  method_deprecated: {
    text: 'Slack has retired this method.',
    hint: 'The message beside the error names what replaces it.',
  },
  invalid_json: {
    text: 'The body is not JSON, but its Content-Type says so.',
    hint: 'Check the Content-Type header and the body.',
  },
  invalid_post_type: {
    text: 'Slack does not support this Content-Type.',
    hint: 'Use application/json or application/x-www-form-urlencoded.',
  },
  used_url: {
    text: 'The response_url was used five times.',
    hint: 'Post or update through the Web API instead.',
  },
  expired_url: {
    text: 'The response_url is older than 30 minutes.',
    hint: 'Post or update through the Web API instead.',
  },
  unknown_url: {
    text: 'There is no such response_url.',
    hint: 'Use it exactly as in the payload. A reset invalidates all of them.',
  },
};

const deliveryErrors: Readonly<Record<string, ErrorReason>> = {
  timeout: {
    text: 'The app did not acknowledge within 3 seconds.',
    hint: 'Call ack() first, then do the work.',
  },
  unreachable: {
    text: 'The app could not be reached.',
    hint: 'Over Socket Mode: is it connected? Over HTTP: is it listening at the delivery URL?',
  },
  connection_closed: {
    text: 'The connection closed before the app acknowledged.',
    hint: 'Did the app stop or crash in its listener? Check its log.',
  },
  client_error: {
    text: 'The app answered with a 4xx status.',
    hint: 'Is the path right, and is the signing secret sandbox-signing-secret?',
  },
  server_error: {
    text: 'The app answered with a 5xx status.',
    hint: 'Its listener threw an error. Check its log.',
  },
  url_unverified: {
    text: 'The app did not return the challenge.',
    hint: 'Its URL must answer url_verification before events are sent.',
  },
  invalid_command_response: {
    text: 'Slack rejects the app’s acknowledgement of the command.',
    hint: 'Each problem below has a location in the acknowledgement.',
  },
  invalid_response_action: {
    text: 'Slack rejects the app’s acknowledgement of the submission.',
    hint: 'Check response_action and the fields beside it.',
  },
  invalid_options: {
    text: 'Slack rejects the options.',
    hint: 'At most 100 are allowed, with up to 75 characters for the text and 150 for the value.',
  },
};

/**
 * Returns why an exchange was rejected. Returns undefined if it wasn't. Unknown codes are shown
 * unchanged.
 */
export function findErrorReason(exchange: Exchange): ErrorReason | undefined {
  const { refused, answer, late_ms, direction } = exchange;
  if (refused === undefined) return undefined;
  const known = (direction === 'to_app' ? deliveryErrors : callErrors)[refused];
  if (refused === 'missing_scope') {
    const needed = readText(answer, 'needed');
    return { text: `The app lacks the scope ${needed}.`, hint: known?.hint ?? '' };
  }
  if (refused === 'timeout') return { text: describeLateAck(exchange, late_ms), hint: known?.hint ?? '' };
  return known ?? { text: `Slack says “${refused}”.`, hint: 'See Slack’s reference of the method.' };
}

function describeLateAck({ faults = [] }: Exchange, lateMs: number | undefined): string {
  const held = faults.find((fault) => fault.startsWith('ack_delay'));
  if (held) return `The fault ${held} delayed the acknowledgement beyond 3 seconds.`;
  if (lateMs === undefined) return 'The app has not acknowledged. Slack waits 3 seconds.';
  return `The app acknowledged after ${lateMs} ms, too late for Slack.`;
}

/**
 * A problem, and where it is as a JSON pointer. The pointer is undefined if the problem names no
 * location.
 */
interface Problem {
  readonly text: string;
  readonly pointer: string | undefined;
}

/** Lists the detailed problems and where they are. */
export function listProblems({ answer, problems, refused }: Exchange): Problem[] {
  const metadata = typeof answer === 'object' && answer !== null && 'response_metadata' in answer;
  const messages = metadata && answer.response_metadata;
  const listed =
    typeof messages === 'object' &&
    messages !== null &&
    'messages' in messages &&
    Array.isArray(messages.messages)
      ? messages.messages
      : [];
  return [...(problems ?? []), ...listed]
    .filter((line) => typeof line === 'string' && line !== refused)
    .map((line: string) => {
      const [, text = line, pointer] =
        /^(?:\[ERROR\] )?(.*?)(?: \[json-pointer:([^\]]*)\]| \((\/[^)]*)\))?$/s.exec(line) ?? [];
      return { text, pointer: pointer ?? / \((\/[^)]*)\)$/.exec(line)?.[1] };
    });
}
