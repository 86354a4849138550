import { z } from 'zod';
import { readDoNotDisturb, readSchedule, snooze } from '../../../acts/do-not-disturb.ts';
import { integer, nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

export const dndInfo = defineMethod({
  name: 'dnd.info',
  tier: 3,
  scopes: ['dnd:read'],
  acceptsJson: false,
  args: () => z.object({ user: nonEmptyString.optional() }),
  run({ user }, core, workspace) {
    const { people, caller } = workspace;
    const person = people.get(user ?? caller.userId);
    if (!person) throw new SlackError('user_not_found');
    const isOwn = person.id === caller.userId;
    return isOwn ? readDoNotDisturb(core, workspace, person.id) : readSchedule(core, workspace, person.id);
  },
});

export const dndTeamInfo = defineMethod({
  name: 'dnd.teamInfo',
  tier: 2,
  scopes: ['dnd:read'],
  acceptsJson: false,
  args: () => z.object({ users: z.string().default('') }),
  run({ users }, core, workspace) {
    const known = users.split(',').filter((id) => workspace.people.has(id));
    return { users: Object.fromEntries(known.map((id) => [id, readSchedule(core, workspace, id)])) };
  },
});

/** A day, which is the longest pause that Slack's clients offer. */
const maxSnoozeMinutes = 24 * 60;

export const dndSetSnooze = defineMethod({
  name: 'dnd.setSnooze',
  tier: 2,
  scopes: ['dnd:write'],
  callers: 'people',
  args: () => z.object({ num_minutes: integer.optional() }),
  run({ num_minutes: minutes }, core, workspace) {
    if (minutes === undefined) throw new SlackError('missing_duration');
    if (minutes > maxSnoozeMinutes) throw new SlackError('too_long');
    if (minutes < 1) throw new SlackError('snooze_failed');
    snooze(core, workspace, workspace.caller.userId, minutes);
    const { snooze_enabled, snooze_endtime, snooze_remaining, snooze_is_indefinite } = readDoNotDisturb(
      core,
      workspace,
      workspace.caller.userId,
    );
    return { snooze_enabled, snooze_endtime, snooze_remaining, snooze_is_indefinite };
  },
});

export const dndEndSnooze = defineMethod({
  name: 'dnd.endSnooze',
  tier: 2,
  scopes: ['dnd:write'],
  callers: 'people',
  args: () => z.object({}),
  run(_args, core, workspace) {
    const { caller } = workspace;
    const isSnoozing = readDoNotDisturb(core, workspace, caller.userId).snooze_enabled === true;
    if (!isSnoozing) throw new SlackError('snooze_end_failed');
    snooze(core, workspace, caller.userId, 0);
    return readDoNotDisturb(core, workspace, caller.userId);
  },
});

/** Ends the do-not-disturb session of a schedule. Nobody in the sandbox has a schedule, so only a snooze ends. */
export const dndEndDnd = defineMethod({
  name: 'dnd.endDnd',
  tier: 2,
  scopes: ['dnd:write'],
  callers: 'people',
  args: () => z.object({}),
  run(_args, core, workspace) {
    const { caller } = workspace;
    const isSnoozing = readDoNotDisturb(core, workspace, caller.userId).snooze_enabled === true;
    if (!isSnoozing) throw new SlackError('not_in_dnd');
    snooze(core, workspace, caller.userId, 0);
    return {};
  },
});
