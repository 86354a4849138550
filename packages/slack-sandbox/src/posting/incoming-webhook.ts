import type { Core } from '../core.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The last part of every webhook's URL. At Slack it is a secret. */
export const webhookSecret = 'sandboxIncomingWebhook24';

/** A URL that posts to one channel. */
interface IncomingWebhook {
  readonly url: string;
  readonly channel: Channel;
}

/**
 * Returns the app's webhook in a workspace, or undefined without the scope `incoming-webhook`. It
 * posts to the general channel: the person who installs the app doesn't choose another one.
 */
export function findIncomingWebhook(core: Core, workspace: Workspace): IncomingWebhook | undefined {
  if (!core.manifest.scopes.has('incoming-webhook')) return undefined;
  const { team, bot, channels } = workspace;
  const open = [...channels.values()].filter(({ kind }) => kind === 'public');
  const channel = open.find(({ isGeneral }) => isGeneral) ?? open[0];
  if (!channel) return undefined;
  return { url: `${core.baseUrl()}/services/${team.id}/${bot.id}/${webhookSecret}`, channel };
}
