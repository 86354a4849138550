import { z } from 'zod';
import { changeProfile } from '../../../acts/change-profile.ts';
import { isObject, type JsonObject, parseJson } from '../../../json.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { toUserObject } from '../../objects/user-object.ts';
import { SlackError } from '../../slack-error.ts';

const maxStatusChars = 100;
const maxNameChars = 80;

export const usersProfileSet = defineMethod({
  name: 'users.profile.set',
  tier: 3,
  scopes: ['users.profile:write'],
  callers: 'people',
  args: () =>
    z.object({
      profile: z.unknown().optional(),
      name: nonEmptyString.optional(),
      value: z.string().optional(),
      user: nonEmptyString.optional(),
    }),
  run({ profile, name, value, user }, core, workspace) {
    const person = resolveChangedPerson(workspace, user);
    const given = typeof profile === 'string' ? parseJson(profile) : profile;
    const change = name === undefined ? given : { [name]: value ?? '' };
    if (!isObject(change)) throw new SlackError('invalid_profile');
    assertValidProfile(change);
    const changed = changeProfile(core, workspace, person, change);
    return { username: changed.name, profile: toUserObject(core, changed).profile };
  },
});

/** Admins can change the profiles of others. Everyone can change their own. */
function resolveChangedPerson({ people, caller }: Workspace, user: string | undefined) {
  const person = people.get(user ?? caller.userId);
  if (!person) throw new SlackError('profile_set_failed');
  const isOther = person.id !== caller.userId;
  if (isOther && people.get(caller.userId)?.role !== 'owner') throw new SlackError('not_admin');
  if (isOther && person.role === 'owner') throw new SlackError('cannot_update_admin_user');
  return person;
}

function assertValidProfile({ status_text = '', display_name = '', real_name = '' }: JsonObject): void {
  const tooLong =
    String(status_text).length > maxStatusChars ||
    [display_name, real_name].some((name) => String(name).length > maxNameChars);
  if (tooLong) throw new SlackError('too_long');
  if (String(display_name).startsWith('@')) throw new SlackError('invalid_starts_with_at');
}

export const usersIdentity = defineMethod({
  name: 'users.identity',
  tier: 3,
  scopes: ['identity.basic', 'identity:read'],
  callers: 'people',
  acceptsJson: false,
  args: () => z.object({}),
  run(_args, core, { people, caller, team }) {
    const { scopes } = core.manifest;
    const person = people.get(caller.userId);
    if (!person) throw new SlackError('invalid_user_id');
    const email = person.email ?? `${person.name}@example.com`;
    return {
      user: { name: person.realName, id: person.id, ...(scopes.has('identity.email') && { email }) },
      team: { id: team.id, ...(scopes.has('identity.team') && { name: team.name, domain: team.domain }) },
    };
  },
});

export const openidConnectUserInfo = defineMethod({
  name: 'openid.connect.userInfo',
  tier: 3,
  scopes: ['openid'],
  callers: 'people',
  acceptsJson: false,
  args: () => z.object({}),
  run(_args, core, { people, caller, team }) {
    const { scopes } = core.manifest;
    const person = people.get(caller.userId);
    if (!person) throw new SlackError('invalid_user_id');
    const [givenName = '', ...familyNames] = person.realName.split(' ');
    return {
      sub: person.id,
      'https://slack.com/user_id': person.id,
      'https://slack.com/team_id': team.id,
      ...(scopes.has('email') && {
        email: person.email ?? `${person.name}@example.com`,
        email_verified: true,
      }),
      ...(scopes.has('profile') && {
        name: person.realName,
        given_name: givenName,
        family_name: familyNames.join(' '),
        locale: 'en-US',
        'https://slack.com/team_name': team.name,
        'https://slack.com/team_domain': team.domain,
      }),
    };
  },
});
