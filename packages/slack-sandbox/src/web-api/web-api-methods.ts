import * as oauth from '../oauth/oauth-methods.ts';
import type { Method } from './method.ts';
import * as authorizations from './methods/authorizations.ts';
import * as basics from './methods/basics.ts';
import * as calls from './methods/calls.ts';
import * as bookmarks from './methods/channels/bookmarks.ts';
import * as channelLifecycle from './methods/channels/lifecycle.ts';
import * as channelMembership from './methods/channels/membership.ts';
import * as chat from './methods/chat.ts';
import * as conversations from './methods/conversations.ts';
import * as files from './methods/files/files.ts';
import * as publicUrls from './methods/files/public-urls.ts';
import * as remoteFiles from './methods/files/remote-files.ts';
import * as functions from './methods/functions.ts';
import * as history from './methods/history.ts';
import * as agentSessions from './methods/messages/agent-sessions.ts';
import * as assistant from './methods/messages/assistant.ts';
import * as entities from './methods/messages/entities.ts';
import * as pins from './methods/messages/pins.ts';
import * as reactions from './methods/messages/reactions.ts';
import * as scheduled from './methods/messages/scheduled.ts';
import * as search from './methods/messages/search.ts';
import * as streams from './methods/messages/streams.ts';
import * as unfurl from './methods/messages/unfurl.ts';
import * as doNotDisturb from './methods/people/do-not-disturb.ts';
import * as ownProfile from './methods/people/own-profile.ts';
import * as profiles from './methods/people/profiles.ts';
import * as reminders from './methods/people/reminders.ts';
import * as stars from './methods/people/stars.ts';
import * as userGroups from './methods/people/user-groups.ts';
import * as people from './methods/users.ts';
import * as validateBlocks from './methods/validate-blocks.ts';
import * as views from './methods/views.ts';

/** All Web API methods of the sandbox, by name. Other methods get an error that says why. */
export const webApiMethods: ReadonlyMap<string, Method> = new Map(
  [
    assistant,
    authorizations,
    basics,
    validateBlocks,
    agentSessions,
    doNotDisturb,
    entities,
    ownProfile,
    reminders,
    remoteFiles,
    publicUrls,
    search,
    stars,

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
