import type { CodedError } from '@slack/oauth';
import { ErrorCode } from '@slack/oauth';
import { RackhandError } from '../../errors.ts';
import type { Installation } from '../../workspaces/installation-store.ts';
import { isOrgWide } from '../../workspaces/installation-store.ts';
import { isSlackPlatformError } from '../client/slack-errors.ts';
import { botScopes } from './bot-scopes.ts';
import type { PageContent } from './html-page.ts';

/** Returns the first page of an installation. `url` leads to Slack's consent page. */
export function buildInstallPage(url: string): PageContent {
  return {
    heading: 'Add Rackhand to Slack',
    paragraphs: [
      "Rackhand runs your team's VPS fleet from Slack: commands, forms and buttons do what you would do in the hosting service's dashboard.",
      'Next, Slack asks which workspace to install Rackhand in. Some workspaces require approval by an owner or admin.',
    ],
    list: { title: 'What Rackhand can do', items: Object.values(botScopes).map(({ allows }) => allows) },
    action: { label: 'Add to Slack', url },
    note: "Rackhand can't do anything with your servers until an owner or admin of the workspace connects an API key.",
  };
}

/** Returns the page for a successful installation. `openUrl` opens the app in Slack. */
export function buildInstalledPage(installation: Installation, openUrl: string): PageContent {
  const isForOrg = isOrgWide(installation);
  return {
    heading: `Rackhand is installed in ${installation.teamName}`,
    tone: 'success',
    paragraphs: isForOrg
      ? [
          "It is available to the whole organization, in every workspace that your organization's admins add it to.",
        ]
      : ['You can close this page.'],
    list: {
      title: 'Next steps in Slack',
      isOrdered: true,
      items: [
        "Have an owner or admin type /vps connect and enter the hosting service's API key.",
        'Invite Rackhand to the channel where your team works: /invite @Rackhand',
        'Type /vps help to see what you can do.',
      ],
    },
    action: { label: 'Open Slack', url: openUrl },
  };
}

interface FailurePage {
  readonly status: number;
  readonly content: PageContent;
  /** The cause of the failure: the person, a forged request, or Rackhand (`ours`). */
  readonly cause: 'person' | 'forgery' | 'ours';
}

/** Slack's errors for a used or expired code, for example after someone reloads the page. */
const usedCodeErrors = new Set(['invalid_code', 'code_already_used', 'code_expired']);

/** Slack's errors caused by wrong app settings. */
const appSettingsErrors = new Set(['bad_client_secret', 'invalid_client_id', 'bad_redirect_uri']);

/** Returns the page for a failed installation, with the cause and a next step for the person. */
export function buildFailurePage(error: CodedError, installPath: string): FailurePage {
  const again = { label: 'Start Again', url: installPath };
  const failed = (status: number, heading: string, ...paragraphs: string[]): FailurePage => ({
    status,
    content: { heading, tone: 'failure', paragraphs: [...paragraphs, nothingInstalledNotice], action: again },
    cause: status >= 500 ? 'ours' : 'person',
  });
  const reason = isSlackPlatformError(error) ? error.data.error : '';
  if (error.code === ErrorCode.AuthorizationError) {
    return {
      status: 200,
      content: {
        heading: 'Installation cancelled',
        paragraphs: ['Nothing was installed or changed.'],
        action: again,
      },
      cause: 'person',
    };
  }
  if (error.code === ErrorCode.InvalidStateError || error.code === ErrorCode.MissingStateError) {
    const why =
      'This can happen if you reloaded the page, took longer than ten minutes, used another browser, or have cookies off.';
    return { ...failed(400, 'This page works only once', why), cause: 'forgery' };
  }
  if (error.code === ErrorCode.MissingCodeError) {
    return failed(
      400,
      "Slack didn't confirm the installation",
      'Slack sent you back without confirming the installation.',
    );
  }
  if (usedCodeErrors.has(reason)) {
    return failed(
      400,
      'This page works only once',
      'The code from Slack was already used, or is older than ten minutes.',
    );
  }
  if (appSettingsErrors.has(reason)) {
    const why = `Slack doesn't recognize the app's settings (${reason}). The person who runs Rackhand has to correct SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, or the redirect URL in the app's settings at Slack.`;
    return failed(502, "Rackhand isn't set up correctly", why);
  }
  if (error instanceof RackhandError && error.code === 'install_refused') {
    return failed(
      403,
      "Rackhand can't be installed here",
      error.message,
      'Ask the person who runs Rackhand.',
    );
  }
  if (reason)
    return failed(
      502,
      'Slack refused the installation',
      `Slack refused to install Rackhand here (${reason}).`,
    );
  return failed(
    500,
    'Something went wrong',
    "Rackhand couldn't complete the installation. Try again in a minute.",
  );
}

const nothingInstalledNotice =
  'Nothing was installed or changed. If Rackhand was installed a moment ago, it still is.';
