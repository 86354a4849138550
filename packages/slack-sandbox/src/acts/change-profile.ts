import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import type { JsonObject } from '../json.ts';
import { toUserObject } from '../web-api/objects/user-object.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';

const statusFields = ['status_text', 'status_emoji', 'status_expiration'];
const huddleFields = ['huddle_state', 'huddle_state_expiration_ts'];

/** Changes fields of a person's profile, and tells the apps. Returns the person as they are then. */
export function changeProfile(core: Core, workspace: Workspace, person: Person, change: JsonObject): Person {
  const { real_name } = change;
  const changed: Person = {
    ...person,
    ...(typeof real_name === 'string' && { realName: real_name }),
    profile: { ...person.profile, ...change },
  };
  workspace.people.set(person.id, changed);
  core.changes.publish({ kind: 'reset', team: workspace.team.id });
  announceProfile(core, workspace, changed, Object.keys(change));
  return changed;
}

/** Tells the apps what changed in a person's profile. */
function announceProfile(core: Core, workspace: Workspace, person: Person, fields: readonly string[]): void {
  const isAbout = (names: readonly string[]) => fields.some((field) => names.includes(field));
  const types = [
    'user_change',
    'user_profile_changed',
    ...(isAbout(statusFields) ? (['user_status_changed'] as const) : []),
    ...(isAbout(huddleFields) ? (['user_huddle_changed'] as const) : []),
  ] as const;
  for (const type of types) {
    announceEvent(core, workspace, {
      event: {
        type,
        user: toUserObject(core, person),
        cache_ts: Math.floor(core.clock.now() / 1000),
        event_ts: core.ids.ts(),
      },
    });
  }
}
