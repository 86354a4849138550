import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Returns whether a person has paused notifications, like `dnd.info` does. */
export function readDoNotDisturb({ clock }: Core, { personal }: Workspace, user: string): JsonObject {
  const endSeconds = personal.snoozedUntil.get(user) ?? 0;
  const leftSeconds = endSeconds - Math.floor(clock.now() / 1000);
  return {
    // Nobody in the sandbox has a schedule for their notifications.
    dnd_enabled: false,
    next_dnd_start_ts: 1,
    next_dnd_end_ts: 1,
    snooze_enabled: leftSeconds > 0,
    ...(leftSeconds > 0 && {
      snooze_endtime: endSeconds,
      snooze_remaining: leftSeconds,
      snooze_is_indefinite: false,
    }),
  };
}

/** Returns the fields of `dnd.info` that other people see. A pause isn't among them. */
export function readSchedule(core: Core, workspace: Workspace, user: string): JsonObject {
  const { dnd_enabled, next_dnd_start_ts, next_dnd_end_ts } = readDoNotDisturb(core, workspace, user);
  return { dnd_enabled, next_dnd_start_ts, next_dnd_end_ts };
}

/** Pauses a person's notifications, or ends the pause with 0 minutes, and tells the apps. */
export function snooze(core: Core, workspace: Workspace, user: string, minutes: number): void {
  const { snoozedUntil } = workspace.personal;
  if (minutes > 0) snoozedUntil.set(user, Math.floor(core.clock.now() / 1000) + minutes * 60);
  else snoozedUntil.delete(user);
  const status = readDoNotDisturb(core, workspace, user);
  core.events.announceToPerson(workspace, user, {
    event: { type: 'dnd_updated', user, dnd_status: status, event_ts: core.ids.ts() },
  });
  announceEvent(core, workspace, {
    event: {
      type: 'dnd_updated_user',
      user,
      dnd_status: readSchedule(core, workspace, user),
      event_ts: core.ids.ts(),
    },
  });
}
