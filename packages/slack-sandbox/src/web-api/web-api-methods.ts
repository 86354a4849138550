import * as oauth from '../oauth/oauth-methods.ts';
import type { Method } from './method.ts';
import * as basics from './methods/basics.ts';
import * as calls from './methods/calls.ts';
import * as bookmarks from './methods/channels/bookmarks.ts';
import * as channelLifecycle from './methods/channels/lifecycle.ts';
import * as channelMembership from './methods/channels/membership.ts';
import * as chat from './methods/chat.ts';
import * as conversations from './methods/conversations.ts';
import * as files from './methods/files.ts';
import * as functions from './methods/functions.ts';
import * as history from './methods/history.ts';
import * as assistant from './methods/messages/assistant.ts';
import * as pins from './methods/messages/pins.ts';
import * as reactions from './methods/messages/reactions.ts';
import * as scheduled from './methods/messages/scheduled.ts';
import * as streams from './methods/messages/streams.ts';
import * as unfurl from './methods/messages/unfurl.ts';
import * as profiles from './methods/people/profiles.ts';
import * as userGroups from './methods/people/user-groups.ts';
import * as people from './methods/users.ts';
import * as views from './methods/views.ts';

/** All Web API methods of the sandbox, by name. Other methods get `unknown_method`. */
export const webApiMethods: ReadonlyMap<string, Method> = new Map(
  [
    assistant,
    basics,
    bookmarks,
    calls,
    channelLifecycle,
    channelMembership,
    chat,
    conversations,
    files,
    functions,
    history,
    oauth,
    people,
    pins,
    profiles,
    reactions,
    scheduled,
    streams,
    unfurl,
    userGroups,
    views,
  ]
    .flatMap((part): Method[] => Object.values(part))
    .map((method) => [method.name, method]),
);
