import type { CodedError } from '@slack/oauth';
import { ErrorCode } from '@slack/oauth';
import type { Installation } from '../../workspaces/installation-store.ts';
import { isOrgWide } from '../../workspaces/installation-store.ts';
import { isRefusedBySlack } from '../slack-error.ts';
import type { PageContent } from './page.ts';
import { botScopes } from './scopes.ts';

/** The page where an installation begins. `url`: Slack's page that asks for consent. */
export function installPage(url: string): PageContent {
  return {
    heading: 'Add Rackhand to Slack',
    paragraphs: [
      "Rackhand runs your team's VPS fleet from Slack: a command, a form or a button does what you would do in the dashboard of the hosting service.",
      'Slack asks you next which workspace to install it in. Some workspaces want an owner or admin to agree first.',
    ],
    list: { title: 'What it will be able to do there', items: Object.values(botScopes) },
    action: { label: 'Add to Slack', url },
    note: 'It can do nothing with your servers until an owner or admin of the workspace connects an API key.',
  };
}

/** The page where an installation ends well. `openUrl`: leads to the app in Slack. */
export function installedPage(installation: Installation, openUrl: string): PageContent {
  const isForOrg = isOrgWide(installation);
  return {
    heading: `Rackhand is installed in ${installation.teamName}`,
    tone: 'success',
    paragraphs: isForOrg
      ? [
          "It is there for the whole organisation, in every workspace that your organisation's admins add it to.",
        ]
      : ['You can close this page.'],
    list: {
      title: 'What comes next, in Slack',
      isOrdered: true,
      items: [
        'An owner or admin types /vps connect, and gives the API key of the hosting service.',
        'Invite it to the channel where your team works: /invite @Rackhand',
        'Type /vps help to see what you can do.',
      ],
    },
    action: { label: 'Open Slack', url: openUrl },
  };
}

interface Failure {
  readonly status: number;
  readonly content: PageContent;
  /** Whose doing it is: the person's, somebody's who passes off what does not belong together, or ours. */
  readonly cause: 'person' | 'forgery' | 'ours';
}

/** Slack's answers that mean that its own code is over: pages are reloaded, and the back button is pressed. */
const spentCode = new Set(['invalid_code', 'code_already_used', 'code_expired']);

/** Slack's answers that mean that the settings of the app are wrong. */
const wrongSettings = new Set(['bad_client_secret', 'invalid_client_id', 'bad_redirect_uri']);

/** The page where an installation ends otherwise: what happened, and what to do. */
export function failurePage(error: CodedError, installPath: string): Failure {
  const again = { label: 'Start Again', url: installPath };
  const failed = (status: number, heading: string, ...paragraphs: string[]): Failure => ({
    status,
    content: { heading, tone: 'failure', paragraphs: [...paragraphs, nothingInstalled], action: again },
    cause: status >= 500 ? 'ours' : 'person',
  });
  const reason = isRefusedBySlack(error) ? error.data.error : '';
  if (error.code === ErrorCode.AuthorizationError) {
    return {
      status: 200,
      content: {
        heading: 'You cancelled',
        paragraphs: ['Nothing was installed, and nothing was changed.'],
        action: again,
      },
      cause: 'person',
    };
  }
  if (error.code === ErrorCode.InvalidStateError || error.code === ErrorCode.MissingStateError) {
    const why =
      'It was reloaded, or it did not begin on the install page in this browser within the last ten minutes, or cookies are off.';
    return { ...failed(400, 'This page works once', why), cause: 'forgery' };
  }
  if (error.code === ErrorCode.MissingCodeError) {
    return failed(400, 'Slack did not agree', 'Slack sent you back without its consent.');
  }
  if (spentCode.has(reason)) {
    return failed(
      400,
      'This page works once',
      'What Slack gave you for it was used before, or is older than ten minutes.',
    );
  }
  if (wrongSettings.has(reason)) {
    const why = `Slack does not know the app by its settings (${reason}). Whoever runs Rackhand has to correct SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, or the redirect URL in the settings of the app at Slack.`;
    return failed(502, 'Rackhand is not set up right', why);
  }
  if (reason) return failed(502, 'Slack refused', `Slack does not install Rackhand here (${reason}).`);
  return failed(500, 'Something went wrong', 'Rackhand could not complete it. Try again in a minute.');
}

const nothingInstalled =
  'Nothing was installed by this, and nothing was changed: if Rackhand was installed a moment ago, it still is.';
