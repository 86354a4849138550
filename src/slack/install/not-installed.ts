import { type CodedError, ErrorCode } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import { postToResponseUrl } from '../response-url.ts';
import { installPath } from './installer.ts';

/** Tells whether Slack delivered something for a workspace that the app is not in. */
export function isNotInstalled(error: CodedError): boolean {
  const { original } = error;
  return (
    error.code === ErrorCode.AuthorizationError &&
    original instanceof RackhandError &&
    original.code === 'not_installed'
  );
}

/**
 * Says in mrkdwn how the app comes back to a workspace. `hasPage`: whether workspaces install it from a page of its own, which is at `publicUrl` where
 * that is known.
 */
export function howToInstall(hasPage: boolean, publicUrl: string | undefined): string {
  if (!hasPage) return 'Whoever runs Rackhand can install it again, in the settings of the app at Slack.';
  const who = 'An owner or admin of this workspace can install it again';
  return publicUrl === undefined
    ? `${who}, at ${installPath} of the address where Rackhand runs: whoever runs it knows that.`
    : `${who}: <${publicUrl}${installPath}|Add to Slack>`;
}

/** Says so, and how it is put right, to whoever asked for something there: without a token, a response URL is the only way to speak. */
export async function tellNotInstalled(body: object, how: string): Promise<void> {
  const url = 'response_url' in body ? body.response_url : undefined;
  if (typeof url !== 'string') return;
  const text = `Rackhand is not installed in this workspace any more. Nothing was changed. ${how}`;
  await postToResponseUrl(url, { response_type: 'ephemeral', replace_original: false, text });
}
