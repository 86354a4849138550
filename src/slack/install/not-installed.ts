import { type CodedError, ErrorCode } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import { postToResponseUrl } from '../response-url.ts';

const words =
  'Rackhand is not installed in this workspace any more. Nothing was changed. An owner or admin can install it again.';

/** Tells whether Slack delivered something for a workspace that the app is not in. */
export function isNotInstalled(error: CodedError): boolean {
  const { original } = error;
  return (
    error.code === ErrorCode.AuthorizationError &&
    original instanceof RackhandError &&
    original.code === 'not_installed'
  );
}

/** Says so to whoever asked for something there: without a token, a response URL is the only way to speak. */
export async function tellNotInstalled(body: object): Promise<void> {
  const url = 'response_url' in body ? body.response_url : undefined;
  if (typeof url !== 'string') return;
  await postToResponseUrl(url, { response_type: 'ephemeral', replace_original: false, text: words });
}
