import type { AppManifest } from '../manifest.ts';
import { Impossible } from './impossible.ts';
import type { Typed } from './slash.ts';

/** Throws unless somebody has a place to type in: they are in the channel, and it is open to writing. */
export function requireComposer({ messagesTab }: AppManifest, { person, channel }: Typed): void {
  if (!channel.members.has(person.id)) throw new Impossible(`${person.id} is not in ${channel.id}`);
  if (channel.archived) throw new Impossible(`${channel.id} is archived`);
  if (channel.kind === 'im' && messagesTab !== 'open') {
    throw new Impossible(
      'Sending messages to this app has been turned off: in the manifest, features.app_home needs ' +
        'messages_tab_enabled: true and messages_tab_read_only_enabled: false',
    );
  }
}
