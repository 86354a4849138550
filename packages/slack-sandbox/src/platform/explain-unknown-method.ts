import type { JsonObject } from '../json.ts';
import { slackMethodNames } from './method-names.ts';
import { findNearestName } from './nearest-name.ts';

/** Slack's error for a method that the sandbox lacks, and the fields that say why. */
export interface UnknownMethod {
  readonly code: 'unknown_method' | 'method_deprecated' | 'method_not_supported';
  readonly detail: JsonObject;
}

/** Returns Slack's error for a method that the sandbox lacks, with the reason for the developer. */
export function explainUnknownMethod(name: string): UnknownMethod {
  const retired = explainRetired(name);
  const messages = [`[ERROR] ${retired ?? explain(name)}`];
  if (retired !== undefined)
    return { code: 'method_deprecated', detail: { response_metadata: { messages } } };
  const reason = unsupported[name];
  if (reason !== undefined) {
    const detail = { response_metadata: { messages: [`[ERROR] ${reason}`] } };
    return { code: 'method_not_supported', detail };
  }
  return { code: 'unknown_method', detail: { req_method: name, response_metadata: { messages } } };
}

const connectReason = 'Channels of the sandbox are shared by its control API, and nobody is invited to them';

/** Methods that the sandbox will not cover, and why. */
const unsupported: Readonly<Record<string, string>> = {
  'dialog.open': 'Modals have replaced dialogs. Use views.open',
  'conversations.acceptSharedInvite': connectReason,
  'conversations.approveSharedInvite': connectReason,
  'conversations.declineSharedInvite': connectReason,
  'conversations.inviteShared': connectReason,
  'conversations.listConnectInvites': connectReason,
  'conversations.requestSharedInvite.approve': connectReason,
  'conversations.requestSharedInvite.deny': connectReason,
  'conversations.requestSharedInvite.list': connectReason,
};

/**
 * Returns what replaces a method that Slack has retired, or undefined. The dates are from
 * docs.slack.dev/changelog: "The files.upload method is retiring", and "Deprecating early methods in
 * favor of the Conversations API".
 */
export function explainRetired(name: string): string | undefined {
  if (name === 'files.upload') {
    return 'Slack retired files.upload on 12 November 2025. Use files.uploadV2 of the SDK, which calls files.getUploadURLExternal and files.completeUploadExternal';
  }
  const [family = '', ...rest] = name.split('.');
  if (!conversationFamilies.has(family)) return undefined;
  const successor = `conversations.${rest.join('.')}`;
  const advice = slackMethodNames.has(successor) ? successor : 'the methods of conversations';
  return `Slack retired ${name} on 24 February 2021. Use ${advice}`;
}

const conversationFamilies: ReadonlySet<string> = new Set(['channels', 'groups', 'im', 'mpim']);

function explain(name: string): string {
  if (slackMethodNames.has(name)) return `Slack has ${name}, this sandbox does not yet`;
  const nearest = findNearestName(name, slackMethodNames);
  return nearest === undefined
    ? `Slack's documents name no method ${name}`
    : `Slack's documents name no method ${name}. Did you mean ${nearest}?`;
}
