import { z } from 'zod';
import type { Core } from '../../../core.ts';
import { isObject, type JsonObject } from '../../../json.ts';
import { postAsSlackbot } from '../../../posting/post-message.ts';
import { findOrCreateDirectMessage } from '../../../workspace/channels/channel-lookup.ts';
import type { Reminder } from '../../../workspace/personal-state.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { jsonArgument, nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

const readScopes = ['reminders:read'];
const writeScopes = ['reminders:write'];
const daySeconds = 24 * 60 * 60;
const unitSeconds: Readonly<Record<string, number>> = {
  minute: 60,
  hour: 60 * 60,
  day: daySeconds,
  week: 7 * daySeconds,
};

export const remindersAdd = defineMethod({
  name: 'reminders.add',
  tier: 2,
  scopes: writeScopes,
  callers: 'people',
  args: () =>
    z.object({
      text: nonEmptyString,
      time: z.union([z.string().min(1), z.number()]),
      user: nonEmptyString.optional(),
      recurrence: jsonArgument(z.unknown()).optional(),
    }),
  run({ text, time, user, recurrence }, core, workspace) {
    const { caller, personal } = workspace;
    if (user !== undefined && user !== caller.userId) throw new SlackError('cannot_add_others');
    const nowSeconds = Math.floor(core.clock.now() / 1000);
    const dueSeconds = parseDue(String(time), nowSeconds);
    if (dueSeconds === undefined || dueSeconds <= nowSeconds) throw new SlackError('cannot_parse');
    const reminder: Reminder = {
      id: core.ids.id('Rm'),
      user: caller.userId,
      text,
      isRecurring: isObject(recurrence),
      dueSeconds,
      completedSeconds: 0,
      cancel: core.clock.schedule((dueSeconds - nowSeconds) * 1000, () => remind(core, workspace, reminder)),
    };
    personal.reminders.set(reminder.id, reminder);
    return { reminder: toReminderObject(reminder) };
  },
});

function remind(core: Core, workspace: Workspace, { user, text }: Reminder): void {
  const channel = findOrCreateDirectMessage(workspace, user, core.clock.now());
  postAsSlackbot(workspace, channel, user, `Reminder: ${text}.`);
}

export const remindersComplete = defineMethod({
  name: 'reminders.complete',
  tier: 2,
  scopes: writeScopes,
  callers: 'people',
  args: () => z.object({ reminder: nonEmptyString }),
  run({ reminder: id }, core, workspace) {
    const reminder = resolveReminder(workspace, id);
    if (reminder.isRecurring) throw new SlackError('cannot_complete_recurring');
    reminder.completedSeconds ||= Math.floor(core.clock.now() / 1000);
    reminder.cancel();
    return {};
  },
});

export const remindersDelete = defineMethod({
  name: 'reminders.delete',
  tier: 2,
  scopes: writeScopes,
  callers: 'people',
  args: () => z.object({ reminder: nonEmptyString }),
  run({ reminder: id }, _core, workspace) {
    resolveReminder(workspace, id).cancel();
    workspace.personal.reminders.delete(id);
    return {};
  },
});

export const remindersInfo = defineMethod({
  name: 'reminders.info',
  tier: 2,
  scopes: readScopes,
  callers: 'people',
  acceptsJson: false,
  args: () => z.object({ reminder: nonEmptyString }),
  run: ({ reminder }, _core, workspace) => ({
    reminder: toReminderObject(resolveReminder(workspace, reminder)),
  }),
});

export const remindersList = defineMethod({
  name: 'reminders.list',
  tier: 2,
  scopes: readScopes,
  callers: 'people',
  acceptsJson: false,
  args: () => z.object({}),
  run(_args, _core, { personal, caller }) {
    const own = [...personal.reminders.values()].filter(({ user }) => user === caller.userId);
    return { reminders: own.map(toReminderObject) };
  },
});

function resolveReminder({ personal, caller }: Workspace, id: string): Reminder {
  const reminder = personal.reminders.get(id);
  if (reminder?.user !== caller.userId) throw new SlackError('not_found');
  return reminder;
}

function toReminderObject({
  id,
  user,
  text,
  isRecurring,
  dueSeconds,
  completedSeconds,
}: Reminder): JsonObject {
  const common = { id, creator: user, user, text, recurring: isRecurring };
  return isRecurring ? common : { ...common, time: dueSeconds, complete_ts: completedSeconds };
}

/** Parses seconds since 1970, seconds from now if there are less than a day of them, or "in 5 minutes". */
function parseDue(time: string, nowSeconds: number): number | undefined {
  if (/^\d+$/.test(time)) return Number(time) < daySeconds ? nowSeconds + Number(time) : Number(time);
  const [, count, unit = ''] = /^in (\d+) (minute|hour|day|week)s?$/i.exec(time.trim()) ?? [];
  const seconds = unitSeconds[unit.toLowerCase()];
  return seconds === undefined ? undefined : nowSeconds + Number(count) * seconds;
}
