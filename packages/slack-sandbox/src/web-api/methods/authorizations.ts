import { z } from 'zod';
import { isObject, parseJson } from '../../json.ts';
import { paging } from '../arguments.ts';
import { defineAppMethod } from '../method.ts';
import { paginate } from '../pagination.ts';
import { SlackError } from '../slack-error.ts';

/** Lists in whose names the app could see an event: its bot user, and people who have allowed it. */
export const appsEventAuthorizationsList = defineAppMethod({
  name: 'apps.event.authorizations.list',
  tier: 4,
  token: 'app',
  args: () => z.object({ ...paging, event_context: z.string() }),
  run({ event_context, ...page }, core) {
    const encoded = event_context.replace(/^4-/, '');
    const context = parseJson(Buffer.from(encoded, 'base64url').toString());
    if (!isObject(context)) throw new SlackError('invalid_event_context');
    if (context.aid !== core.app.id) throw new SlackError('auth_mismatch');
    const workspace = core.findWorkspace(String(context.tid));
    if (!workspace?.installedBy) throw new SlackError('invalid_event_context');
    const channel = workspace.channels.get(String(context.cid));
    const isThere = (user: string) => !channel || channel.kind === 'public' || channel.members.has(user);
    const people = [...workspace.userGrants.values()].filter(({ isRevoked }) => !isRevoked);
    const isOrgWide = workspace.installedBy === 'organization';
    const authorizations = [
      { user: workspace.bot.userId, is_bot: true },
      ...people.map(({ userId }) => ({ user: userId, is_bot: false })),
    ]
      .filter(({ user }) => isThere(user))
      .map(({ user, is_bot }) => ({
        enterprise_id: workspace.enterprise?.id ?? null,
        team_id: isOrgWide ? null : workspace.team.id,
        user_id: user,
        is_bot,
        is_enterprise_install: isOrgWide,
      }));
    const { items, response_metadata } = paginate(authorizations, page, 100);
    return { authorizations: items, response_metadata };
  },
});
