import { z } from 'zod';
import type { JsonObject } from '../../json.ts';
import { type RegisteredCall, toCallObject } from '../../workspace/calls.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { integer, jsonArgument, nonEmptyString } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { SlackError } from '../slack-error.ts';

const writeScopes = ['calls:write'];
const details = {
  title: z.string().optional(),
  external_display_id: z.string().optional(),
  desktop_app_join_url: z.string().optional(),
};
const participants = jsonArgument(z.array(z.record(z.string(), z.unknown())));

export const callsAdd = defineMethod({
  name: 'calls.add',
  tier: 3,
  scopes: writeScopes,
  args: () =>
    z.object({
      ...details,
      external_unique_id: nonEmptyString,
      join_url: nonEmptyString,
      created_by: z.string().optional(),
      date_start: integer.optional(),
      users: participants.optional(),
    }),
  run(args, core, workspace) {
    // A bot token doesn't stand for a person, so the creator must be named.
    const isCreatorKnown = args.created_by !== undefined && workspace.people.has(args.created_by);
    if (!isCreatorKnown) throw new SlackError('invalid_created_by');
    const users = args.users ?? [];
    assertKnownPeople(workspace, users);
    const call: RegisteredCall = {
      id: core.ids.id('R'),
      externalUniqueId: args.external_unique_id,
      joinUrl: args.join_url,
      title: args.title,
      externalDisplayId: args.external_display_id,
      desktopAppJoinUrl: args.desktop_app_join_url,
      startSeconds: args.date_start ?? Math.floor(core.clock.now() / 1000),
      hasEnded: false,
      participants: users,
    };
    workspace.calls.set(call.id, call);
    return { call: toCallObject(call) };
  },
});

export const callsInfo = defineMethod({
  name: 'calls.info',
  tier: 3,
  scopes: ['calls:read'],
  args: () => z.object({ id: nonEmptyString }),
  run({ id }, _core, workspace) {
    return { call: toCallObject(resolveCall(workspace, id)) };
  },
});

export const callsUpdate = defineMethod({
  name: 'calls.update',
  tier: 3,
  scopes: writeScopes,
  args: () => z.object({ ...details, id: nonEmptyString, join_url: nonEmptyString.optional() }),
  run({ id, ...given }, _core, workspace) {
    const call = resolveCall(workspace, id);
    call.title = given.title ?? call.title;
    call.joinUrl = given.join_url ?? call.joinUrl;
    call.externalDisplayId = given.external_display_id ?? call.externalDisplayId;
    call.desktopAppJoinUrl = given.desktop_app_join_url ?? call.desktopAppJoinUrl;
    return { call: toCallObject(call) };
  },
});

export const callsEnd = defineMethod({
  name: 'calls.end',
  tier: 3,
  scopes: writeScopes,
  args: () => z.object({ id: nonEmptyString, duration: integer.optional() }),
  run({ id }, _core, workspace) {
    resolveActiveCall(workspace, id).hasEnded = true;
    return {};
  },
});

export const callsParticipantsAdd = defineMethod({
  name: 'calls.participants.add',
  tier: 3,
  scopes: writeScopes,
  args: () => z.object({ id: nonEmptyString, users: participants }),
  run({ id, users }, _core, workspace) {
    const call = resolveActiveCall(workspace, id);
    assertKnownPeople(workspace, users);
    const present = new Set(call.participants.map(identify));
    if (users.some((user) => present.has(identify(user)))) throw new SlackError('bad_users');
    call.participants = [...call.participants, ...users];
    return { call: toCallObject(call) };
  },
});

export const callsParticipantsRemove = defineMethod({
  name: 'calls.participants.remove',
  tier: 3,
  scopes: writeScopes,
  args: () => z.object({ id: nonEmptyString, users: participants }),
  run({ id, users }, _core, workspace) {
    const call = resolveActiveCall(workspace, id);
    const leaving = new Set(users.map(identify));
    call.participants = call.participants.filter((user) => !leaving.has(identify(user)));
    return { call: toCallObject(call) };
  },
});

function resolveCall({ calls }: Workspace, id: string): RegisteredCall {
  const call = calls.get(id);
  if (!call) throw new SlackError('invalid_call_id');
  return call;
}

function resolveActiveCall(workspace: Workspace, id: string): RegisteredCall {
  const call = resolveCall(workspace, id);
  if (call.hasEnded) throw new SlackError('inactive_call');
  return call;
}

function assertKnownPeople({ people }: Workspace, users: readonly JsonObject[]): void {
  const isUnknown = ({ slack_id }: JsonObject) => slack_id !== undefined && !people.has(String(slack_id));
  if (users.some(isUnknown)) throw new SlackError('user_not_found');
}

/** Returns a key that is the same for the same participant. */
function identify({ slack_id, external_id }: JsonObject): string {
  return slack_id === undefined ? `external ${String(external_id)}` : `person ${String(slack_id)}`;
}
