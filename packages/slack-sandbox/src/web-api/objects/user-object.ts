import type { Core } from '../../core.ts';
import type { JsonObject } from '../../json.ts';
import type { Person } from '../../workspace/seed.ts';
import { toAvatarFields, toPersonColor } from './avatar.ts';

type UserObject = JsonObject & { readonly profile: JsonObject & { readonly email?: string } };

/** Describes a person like `users.info` does. */
export function toUserObject(core: Core, person: Person): UserObject {
  const { id, teamId, name, realName, role, tz, bot, email = `${name}@example.com` } = person;
  const isBot = role === 'bot';
  const names = { real_name: realName, real_name_normalized: realName };
  const [firstName = '', ...lastNames] = realName.split(' ');
  return {
    id,
    team_id: teamId,
    name,
    deleted: role === 'deactivated',
    color: toPersonColor(id),
    real_name: realName,
    tz,
    ...toTimeZoneFields(tz, core.clock.now()),
    profile: {
      ...names,
      display_name: name,
      display_name_normalized: name,
      first_name: firstName,
      last_name: lastNames.join(' '),
      title: '',
      phone: '',
      skype: '',
      status_text: '',
      status_emoji: '',
      status_expiration: 0,
      status_emoji_display_info: [],
      ...toAvatarFields(core.baseUrl(), id),
      team: teamId,
      ...person.profile,
      ...(core.manifest.scopes.has('users:read.email') && !isBot && { email }),
      ...(bot && { api_app_id: bot.appId, bot_id: bot.id }),
    },
    is_admin: role === 'owner',
    is_owner: role === 'owner',
    is_primary_owner: role === 'owner',
    is_restricted: role === 'guest',
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    ...(role === 'stranger' && { is_stranger: true }),
    updated: 0,
    is_email_confirmed: !isBot,
    who_can_share_contact_card: 'EVERYONE',
  };
}

/** Returns Slack's time zone fields at a given time: the name of the time zone and its offset in seconds. */
function toTimeZoneFields(timeZone: string, atMs: number): JsonObject {
  const part = (timeZoneName: 'long' | 'longOffset') =>
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName })
      .formatToParts(atMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(part('longOffset')) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return { tz_label: part('long'), tz_offset: sign === '-' ? -seconds : seconds };
}
