import { type CodedError, ErrorCode } from '@slack/bolt';
import { RackhandError } from '../../errors.ts';
import { postToResponseUrl } from '../messages/response-url.ts';
import { installPath } from './install-routes.ts';

const rejectionReasons = ['not_installed', 'suspended', 'database_unreachable'] as const;

export type RejectionReason = (typeof rejectionReasons)[number];

/** Returns why a delivery was rejected, or undefined if the error has another cause. */
export function findRejectionReason(error: CodedError): RejectionReason | undefined {
  const { original } = error;
  if (error.code !== ErrorCode.AuthorizationError || !(original instanceof RackhandError)) return undefined;
  return rejectionReasons.find((reason) => reason === original.code);
}

/**
 * Returns instructions for installing the app again, in mrkdwn. `hasPage` says whether workspaces
 * install the app from Rackhand's own page. `publicUrl` is the server's URL, if known.
 */
export function formatInstallHint(hasPage: boolean, publicUrl: string | undefined): string {
  if (!hasPage) return "The person who runs Rackhand can install it again, in the app's settings at Slack.";
  const who = 'An owner or admin of this workspace can install it again';
  return publicUrl === undefined
    ? `${who}, at ${installPath} on Rackhand's server. Ask the person who runs it for the address.`
    : `${who}: <${publicUrl}${installPath}|Add to Slack>`;
}

/**
 * Tells the person who made the request why it was rejected. Without a token, the response URL is
 * the only way to reply.
 */
export async function sendRejection(
  body: object,
  reason: RejectionReason,
  installHint: string,
  apiUrl: string,
): Promise<void> {
  const url = 'response_url' in body ? body.response_url : undefined;
  if (typeof url !== 'string') return;
  const texts: Record<RejectionReason, string> = {
    not_installed: `Rackhand is no longer installed in this workspace. Nothing was changed. ${installHint}`,
    suspended:
      'Rackhand is suspended in this workspace. Nothing was changed. Ask the person who runs Rackhand why.',
    database_unreachable: "Rackhand can't reach its database. Nothing was changed. Try again in a minute.",
  };
  const text = texts[reason];
  await postToResponseUrl(url, { response_type: 'ephemeral', replace_original: false, text }, apiUrl);
}
