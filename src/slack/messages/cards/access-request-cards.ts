import type { types } from '@slack/bolt';
import type { Logger } from 'pino';
import {
  type AccessRequest,
  type AccessRequestCards,
  formatRequest,
} from '../../../auth/access-requests/access-request.ts';
import type { MemberDirectory } from '../../../auth/member-directory.ts';
import { matchesPattern } from '../../../operations/choices/matching/matches-pattern.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import {
  createVpsLabeler,
  findUnlabelledVps,
  type LabelVps,
  labelFacts,
} from '../../../operations/format/label-vps.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { buttonRow, factLines, mrkdwn, noteBlocks, stepButtons } from '../../blocks/elements/blocks.ts';
import { button, confirmDialog, withSpokenLabel } from '../../blocks/elements/buttons.ts';
import { escapeText, notificationText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { requirePosted } from '../require-posted.ts';

interface CardDependencies {
  readonly clients: SlackClients;
  readonly directory: Pick<MemberDirectory, 'findDisplayName'>;
  readonly labelVpsFor: LabelVpsFor;
  readonly log: Pick<Logger, 'warn'>;
}

/** How a card names its VPS and the person who asks. */
interface CardNames {
  readonly label: LabelVps;
  readonly person: string;
}

/** Sends access requests by direct message to people who can grant them, and shows the decisions. */
export function createAccessRequestCards({
  clients,
  directory,
  labelVpsFor,
  log,
}: CardDependencies): AccessRequestCards {
  const loadNames = async ({ teamId, userId }: Actor): Promise<CardNames> => ({
    label: await labelVpsFor(teamId),
    person: await directory.findDisplayName(teamId, userId),
  });

  return {
    async send(request, person, currentAccess) {
      const client = await clients(request.actor.teamId);
      try {
        const message = renderCard([request], currentAccess, await loadNames(request.actor));
        return requirePosted(await client.chat.postMessage({ channel: person, ...message }));
      } catch (error) {
        log.warn({ err: error }, 'an access request could not be sent to a person');
        return undefined;
      }
    },

    async edit(requests, currentAccess) {
      const [first] = requests;
      if (!first) return [];
      const client = await clients(first.actor.teamId);
      const message = renderCard(requests, currentAccess, await loadNames(first.actor));
      const edits = first.cards.map(async (card) => {
        try {
          await client.chat.update({ ...card, ...message });
          return [card];
        } catch (error) {
          log.warn({ err: error }, 'an access request card could not be edited');
          return [];
        }
      });
      return (await Promise.all(edits)).flat();
    },

    async notify(request) {
      const { teamId, userId } = request.actor;
      try {
        const client = await clients(teamId);
        const label = labelOnly(request.patterns, await labelVpsFor(teamId));
        const message = renderDecisionNotification(request, label);
        await client.chat.postMessage({ channel: userId, ...message });
      } catch (error) {
        log.warn({ err: error }, 'the decision on an access request could not be shown');
      }
    },
  };
}

/**
 * Renders a person's card. Requests keep their order, and nothing above them changes, so that a
 * decision doesn't move the buttons of another request to where somebody is about to click.
 */
function renderCard(
  requests: readonly AccessRequest[],
  currentAccess: readonly Fact[],
  names: CardNames,
): Message {
  const { label } = names;
  const current =
    currentAccess.length > 0
      ? [mrkdwn('Current access:'), ...factLines(labelFacts(currentAccess, label))]
      : [mrkdwn('No access so far.')];
  const isOpen = requests.some(({ decision }) => decision === null);
  const advice =
    'Grant allows exactly this and nothing more. If other admins were asked too, the first decision counts.';
  return {
    text: notificationText(requests.map((request) => summarize(request, label)).join('; ')),
    blocks: [
      ...requests.flatMap((request) => renderRequest(request, names)),
      ...(isOpen ? [...current, ...noteBlocks([advice])] : []),
    ],
  };
}

function summarize(request: AccessRequest, label: LabelVps): string {
  const requested = label(formatRequest(request));
  const { decision } = request;
  return decision ? `${formatDecision(decision)}: ${requested}` : `Access request: ${requested}`;
}

function formatDecision({ kind }: NonNullable<AccessRequest['decision']>): string {
  return kind === 'granted' ? '✅ Granted' : '🚫 Declined';
}

function renderRequest(request: AccessRequest, names: CardNames): types.KnownBlock[] {
  const { actor, followUpStep, decision } = request;
  const requested = names.label(formatRequest(request));
  return [
    mrkdwn(`<@${actor.userId}> requests access: *${escapeText(requested)}*`),
    ...(followUpStep ? [mrkdwn(`Denied before: *${escapeText(names.label(followUpStep.label))}*`)] : []),
    ...(decision
      ? [mrkdwn(`${formatDecision(decision)} by <@${decision.by}>.`)]
      : decisionButtons(request, requested, names.person)),
  ];
}

function decisionButtons(
  { id, right }: AccessRequest,
  requested: string,
  person: string,
): types.KnownBlock[] {
  const grant = button(actionIds.grantRequest, 'Grant', id, 'primary');
  const confirm =
    right === 'admin' || right === 'destroy'
      ? confirmDialog(
          `Grant ${right} to @${person}?`,
          `@${person} gets: ${requested}. ${riskOf[right]}`,
          `Grant ${right}`,
        )
      : undefined;
  return buttonRow([
    withSpokenLabel({ ...grant, ...(confirm && { confirm }) }, `Grant: ${requested}`),
    withSpokenLabel(button(actionIds.declineRequest, 'Decline', id), `Decline: ${requested}`),
  ]);
}

const riskOf = {
  admin: 'An admin can do everything, and give rights to others.',
  destroy: 'With it, data can be deleted for good.',
} as const;

/** Labels only the VPS that patterns cover. A denied command can name others. */
function labelOnly(patterns: readonly string[], label: LabelVps): LabelVps {
  return (text) => {
    const covered = findUnlabelledVps(text).filter((vps) =>
      patterns.some((pattern) => matchesPattern(pattern, vps)),
    );
    return createVpsLabeler(new Map(covered.map((vps) => [vps, label(vps)])))(text);
  };
}

/**
 * Renders the message about a decision. The names of VPS are shown only if the right was granted.
 */
function renderDecisionNotification(request: AccessRequest, label: LabelVps): Message {
  const { decision, followUpStep } = request;
  const isGranted = decision?.kind === 'granted';
  const requested = isGranted ? label(formatRequest(request)) : formatRequest(request);
  const text = isGranted
    ? `✅ Granted by <@${decision.by}>: *${escapeText(requested)}*.`
    : `🚫 Declined by <@${decision?.by}>: *${escapeText(requested)}*.`;
  const steps: types.Button[] = isGranted
    ? stepButtons([
        ...(followUpStep ? [{ ...followUpStep, label: label(followUpStep.label) }] : []),
        { label: 'Show My Access', operation: 'access', input: {} },
      ])
    : [];
  return {
    text: notificationText(`${isGranted ? 'Granted' : 'Declined'}: ${requested}`),
    blocks: [mrkdwn(text), ...buttonRow(steps)],
  };
}
