import type { Exchange } from '../../../delivery/traffic-lines.ts';
import { textIn } from './json.ts';

/** Why something was refused, and what to do about it. */
export interface Reason {
  readonly words: string;
  readonly hint: string;
}

const calls: Readonly<Record<string, Reason>> = {
  not_authed: {
    words: 'The call came without a token.',
    hint: 'Send it as “Authorization: Bearer …”. A token in the URL does not count.',
  },
  invalid_auth: {
    words: 'The token is not one of this sandbox.',
    hint: 'Bot tokens are xoxb-sandbox-acme and xoxb-sandbox-globex, the app-level token is xapp-sandbox.',
  },
  token_revoked: { words: 'The token was revoked.', hint: 'Reset the workspace in Trouble to get it back.' },
  not_allowed_token_type: {
    words: 'This method takes another kind of token.',
    hint: 'apps.connections.open takes the app-level token (xapp-…), everything else the bot’s (xoxb-…).',
  },
  missing_scope: {
    words: 'The app lacks a scope.',
    hint: 'Add it to oauth_config.scopes.bot of the manifest, and start the sandbox again.',
  },
  not_in_channel: {
    words: 'The app is not in this channel.',
    hint: 'Invite it there, call conversations.join, or ask for chat:write.public.',
  },
  channel_not_found: {
    words: 'There is no such channel, or the app cannot see it.',
    hint: 'Pass a channel’s id (C0OPS), or a person’s id for direct messages.',
  },
  user_not_in_channel: {
    words: 'The person is not in this channel.',
    hint: 'An ephemeral message needs its reader in the channel: send a direct message instead.',
  },
  user_not_found: {
    words: 'There is no such person in this workspace.',
    hint: 'Look whether the id belongs to another workspace.',
  },
  is_archived: { words: 'The channel is archived.', hint: 'Nobody can post there.' },
  invalid_blocks: {
    words: 'The blocks break a rule of Block Kit.',
    hint: 'Each problem below names its place; it is marked in what was sent.',
  },
  invalid_arguments: {
    words: 'An argument is missing or not valid.',
    hint: 'Each problem below names its place; it is marked in what was sent.',
  },
  view_too_large: {
    words: 'The view has more than 250 kB.',
    hint: 'Show fewer things, or page through them.',
  },
  no_text: {
    words: 'The message is empty.',
    hint: 'Pass text, beside blocks too: notifications and screen readers read it.',
  },
  msg_too_long: {
    words: 'The text is too long.',
    hint: 'Keep it below 4,000 characters; 40,000 are the most.',
  },
  msg_blocks_too_long: {
    words: 'The blocks of the message hold too many characters together.',
    hint: 'About 13,000 fit: split the message, or upload a file.',
  },
  expired_trigger_id: {
    words: 'The trigger_id is older than 3 seconds.',
    hint: 'Open the modal first, with a loading view, and fill it by views.update.',
  },
  exchanged_trigger_id: {
    words: 'The trigger_id was used already.',
    hint: 'It opens one view. Update that one by views.update.',
  },
  invalid_trigger_id: {
    words: 'There is no such trigger_id.',
    hint: 'Take it from the payload that you answer, unchanged.',
  },
  push_limit_reached: {
    words: 'Three views are open already.',
    hint: 'Update the top view instead of pushing another.',
  },
  hash_conflict: {
    words: 'The view changed since this hash was read.',
    hint: 'Take the hash of the newest answer or payload, or leave it out.',
  },
  not_found: { words: 'There is no such view.', hint: 'It was closed, or the view_id is another’s.' },
  duplicate_external_id: {
    words: 'Another open view has this external_id.',
    hint: 'Make it unique for each view that is opened.',
  },
  message_not_found: {
    words: 'There is no such message in this channel.',
    hint: 'Look at channel and ts; an ephemeral message can only be changed by its response_url.',
  },
  cant_update_message: {
    words: 'The app did not write this message.',
    hint: 'An app updates its own messages only.',
  },
  thread_not_found: {
    words: 'thread_ts names no message of this channel.',
    hint: 'Pass the ts of the thread’s first message.',
  },
  ratelimited: {
    words: 'Too many calls of this method.',
    hint: 'Wait as long as Retry-After says. Messages: one a second for each channel.',
  },
  unknown_method: {
    words: 'The sandbox has no such method.',
    hint: 'Look at its spelling, and at the README’s table of what is covered.',
  },
  invalid_json: {
    words: 'The body is not JSON, though its type says so.',
    hint: 'Look at the Content-Type header and the body.',
  },
  invalid_post_type: {
    words: 'The Content-Type is none that Slack reads.',
    hint: 'Use application/json or application/x-www-form-urlencoded.',
  },
  used_url: {
    words: 'The response_url was used five times.',
    hint: 'Post or update by the Web API instead.',
  },
  expired_url: {
    words: 'The response_url is older than 30 minutes.',
    hint: 'Post or update by the Web API instead.',
  },
  unknown_url: {
    words: 'There is no such response_url.',
    hint: 'Take it from the payload that you answer, unchanged. A reset forgets them all.',
  },
};

const deliveries: Readonly<Record<string, Reason>> = {
  timeout: {
    words: 'The app did not acknowledge within 3 seconds.',
    hint: 'Call ack() first and do the work after it.',
  },
  unreachable: {
    words: 'The app could not be reached.',
    hint: 'Over Socket Mode: is it connected? Over HTTP: does it listen at the URL of the delivery?',
  },
  connection_closed: {
    words: 'The connection closed before the app acknowledged.',
    hint: 'Did the app stop or crash in its listener? Look at its log.',
  },
  client_error: {
    words: 'The app answered with a 4xx status.',
    hint: 'Is the path right, and is the signing secret sandbox-signing-secret?',
  },
  server_error: {
    words: 'The app answered with a 5xx status.',
    hint: 'Its listener threw: look at its log.',
  },
  url_unverified: {
    words: 'The app did not give the challenge back.',
    hint: 'Its URL must answer url_verification before events are sent.',
  },
  invalid_command_response: {
    words: 'Slack refuses what the app acknowledged the command with.',
    hint: 'Each problem below names its place in the acknowledgement.',
  },
  invalid_response_action: {
    words: 'Slack refuses what the app acknowledged the submission with.',
    hint: 'Look at response_action and what stands beside it.',
  },
  invalid_options: {
    words: 'Slack refuses the options.',
    hint: 'At most 100, each with text and value of 75 characters at most.',
  },
};

/** Tells why an exchange was refused; a word that is not known stands for itself. `undefined` where nothing was. */
export function reasonOf(exchange: Exchange): Reason | undefined {
  const { refused, answer, late_ms, direction } = exchange;
  if (refused === undefined) return undefined;
  const known = (direction === 'to_app' ? deliveries : calls)[refused];
  if (refused === 'missing_scope') {
    const needed = textIn(answer, 'needed');
    return { words: `The app lacks the scope ${needed}.`, hint: known?.hint ?? '' };
  }
  if (refused === 'timeout') return { words: lateness(exchange, late_ms), hint: known?.hint ?? '' };
  return known ?? { words: `Slack says “${refused}”.`, hint: 'Slack’s reference of the method explains it.' };
}

function lateness({ faults = [] }: Exchange, lateMs: number | undefined): string {
  const held = faults.find((fault) => fault.startsWith('ack_delay'));
  if (held) return `The fault ${held} held the acknowledgement back beyond 3 seconds.`;
  if (lateMs === undefined) return 'The app did not acknowledge within 3 seconds, and has not since.';
  return `The app acknowledged after ${lateMs} ms, when Slack no longer waited.`;
}

/** A problem with the place that it names, as a JSON pointer; `undefined` where it names none. */
interface Problem {
  readonly words: string;
  readonly pointer: string | undefined;
}

/** Lists what was wrong in detail, with the place of each. */
export function problemsOf({ answer, problems, refused }: Exchange): Problem[] {
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
      const [, words = line, pointer] =
        /^(?:\[ERROR\] )?(.*?)(?: \[json-pointer:([^\]]*)\]| \((\/[^)]*)\))?$/s.exec(line) ?? [];
      return { words, pointer: pointer ?? / \((\/[^)]*)\)$/.exec(line)?.[1] };
    });
}
