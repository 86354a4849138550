import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import { toUserObject } from '../web-api/objects/user-object.ts';
import type { Person } from '../workspace/seed.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';
import { createSlackId } from '../world/slack-ids.ts';

interface PersonFacts {
  readonly name: string;
  readonly real_name?: string | undefined;
  readonly role: Person['role'];
  readonly email?: string | undefined;
  readonly tz: string;
}

/**
 * Adds a person to a workspace, or replaces the one with this name, and tells the app. Returns the
 * person's ID.
 */
export function setPerson(core: Core, workspace: Workspace, facts: PersonFacts): string {
  const { team, people } = workspace;
  const known = createNameDirectory(workspace).userByName(facts.name);
  const person: Person = {
    id: known ?? createSlackId('U', team.name, facts.name),
    teamId: team.id,
    name: facts.name,
    realName: facts.real_name ?? facts.name,
    role: facts.role,
    tz: facts.tz,
    ...(facts.email !== undefined && { email: facts.email }),
  };
  people.set(person.id, person);
  core.changes.publish({ kind: 'reset', team: team.id });
  announceEvent(core, workspace, {
    event: {
      type: known === undefined ? 'team_join' : 'user_change',
      user: toUserObject(core, person),
      cache_ts: Math.floor(core.clock.now() / 1000),
      event_ts: core.ids.ts(),
    },
  });
  return person.id;
}
