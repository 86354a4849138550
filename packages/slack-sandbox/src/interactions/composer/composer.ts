import type { AppManifest } from '../../manifest.ts';
import type { Channel } from '../../workspace/channels/channels.ts';
import type { Person } from '../../workspace/seed.ts';
import { InvalidActionError } from '../invalid-action-error.ts';

/** Text that a person types into a channel's composer. */
export interface ComposerInput {
  readonly person: Person;
  readonly channel: Channel;
  readonly text: string;
  /** Set if the text was typed in a thread. */
  readonly threadTs?: string | undefined;
  /** Whether the keyboard makes quotes and dashes typographic, as on macOS and phones. */
  readonly smartPunctuation: boolean;
}

/** Throws if the person isn't in the channel, or if the channel doesn't accept messages. */
export function assertCanType(
  { messagesTab, isAssistant }: AppManifest,
  { person, channel, threadTs }: ComposerInput,
): void {
  if (!channel.members.has(person.id)) throw new InvalidActionError(`${person.id} is not in ${channel.id}`);
  if (channel.isArchived) throw new InvalidActionError(`${channel.id} is archived`);
  if (isAssistant && threadTs !== undefined) return;
  if (channel.kind === 'im' && messagesTab !== 'open') {
    throw new InvalidActionError(
      'Sending messages to this app has been turned off: in the manifest, features.app_home needs ' +
        'messages_tab_enabled: true and messages_tab_read_only_enabled: false',
    );
  }
}
