import type { types } from '@slack/bolt';
import { type Ask, isBrokenGlass } from '../../asks/ask.ts';
import { askAnswerContent, askCardContent, askMessageKinds } from '../../asks/ask-messages.ts';
import { toBreakGlassSteps, toDecisionSteps, toWithdrawStep } from '../../asks/ask-operations.ts';
import type { AskStore } from '../../asks/ask-store.ts';
import type { MemberDirectory } from '../../auth/member-directory.ts';
import type { Message as StoredMessage } from '../../messages/message.ts';
import {
  createVpsLabeler,
  findUnlabelledVps,
  type LabelVps,
  labelFacts,
} from '../../operations/format/label-vps.ts';
import type { LabelVpsFor } from '../../runs/team-labels.ts';
import {
  buttonRow,
  factLines,
  headingBlock,
  mrkdwn,
  noteBlocks,
  stepButtons,
  warningBlocks,
} from '../blocks/elements/blocks.ts';
import { confirmDialog, stepButton, withSpokenLabel } from '../blocks/elements/buttons.ts';
import { fitMessage } from '../blocks/elements/fit-message.ts';
import { escapeText, formatDate, notificationText } from '../blocks/elements/text.ts';
import type { Message } from '../blocks/message.ts';
import type { MessageKind } from './transport.ts';

interface AskKindsDependencies {
  readonly store: Pick<AskStore, 'find'>;
  readonly directory: Pick<MemberDirectory, 'findDisplayName'>;
  readonly labelVpsFor: LabelVpsFor;
}

interface AskView {
  readonly label: LabelVps;
  /** Returns a person's name, as text that doesn't notify them. */
  readonly nameOf: (userId: string) => string;
}

/** Creates the kinds of messages about requests. Each message is rendered from the request as stored when it's sent. */
export function createAskKinds({
  store,
  directory: { findDisplayName },
  labelVpsFor,
}: AskKindsDependencies): Readonly<Record<string, MessageKind>> {
  async function createView({ actor, title, details, decision }: Ask): Promise<AskView> {
    const { teamId } = actor;
    const texts = [title, ...(details.facts ?? []).flatMap(({ label, value }) => [label, String(value)])];
    const people = [actor.userId, ...(decision ? [decision.by] : [])];
    const [label, names] = await Promise.all([
      texts.some((text) => findUnlabelledVps(text).length > 0) ? labelVpsFor(teamId) : (text: string) => text,
      Promise.all(people.map(async (id) => [id, await findDisplayName(teamId, id)] as const)),
    ]);
    const nameById = new Map(names);
    return { label, nameOf: (id) => escapeText(`@${nameById.get(id) ?? id}`) };
  }

  async function renderGroupProblem({ teamId, content }: StoredMessage): Promise<types.KnownBlock[]> {
    const { group } = askCardContent.parse(content);
    if (!group?.problem) return [];
    const name = escapeText(await findDisplayName(teamId, group.id));
    return [
      mrkdwn(
        group.problem === 'gone'
          ? `The approval rule asks a user group that doesn't exist in Slack anymore (${name}).`
          : `The approval rule asks @${name}, but no one in this user group can approve this.`,
      ),
    ];
  }

  return {
    [askMessageKinds.card]: {
      async render(stored) {
        const ask = await store.find(stored.teamId, askCardContent.parse(stored.content).askId);
        if (!ask) return [];
        const view = await createView(ask);
        // A card that wasn't posted before the decision is no longer needed.
        if (ask.finishedMs !== null) return stored.ref ? [renderDecided(ask, view)] : [];
        if (stored.queueChannel === ask.actor.userId) return [renderForAsker(ask, view)];
        const notes = [...(await renderGroupProblem(stored)), ...mentionBlocks(stored)];
        return [renderRequest(ask, view, notes, isDirect(stored))];
      },
    },
    [askMessageKinds.answer]: {
      async render({ teamId, content }) {
        const { askId, advice } = askAnswerContent.parse(content);
        const ask = await store.find(teamId, askId);
        return ask ? [renderAnswer(ask, await createView(ask), advice)] : [];
      },
    },
  };
}

const isDirect = ({ channel }: StoredMessage) => /^[DUW]/.test(channel);

/**
 * Mentions the people who are asked, if the card is in a channel. Slack notifies them when the message is
 * posted, but not when it is edited.
 */
function mentionBlocks(stored: StoredMessage): types.KnownBlock[] {
  const { people, group } = askCardContent.parse(stored.content);
  if (isDirect(stored) || people.length === 0) return [];
  if (group && !group.problem) return [mrkdwn(`<!subteam^${group.id}>: please approve or decline this.`)];
  return [mrkdwn(`${people.map((userId) => `<@${userId}>`).join(' ')} can approve this.`)];
}

function renderRequest(
  ask: Ask,
  { label, nameOf }: AskView,
  notes: readonly types.KnownBlock[],
  isForDecider: boolean,
): Message {
  const { actor, details, expiresMs } = ask;
  const { facts = [], warning, notes: renewal = [], channel } = details;
  const title = label(ask.title);
  const asker = nameOf(actor.userId);
  const place = channel === undefined ? '' : ` in <#${channel}>`;
  return {
    text: notificationText(`${title}: approval needed`),
    blocks: fitMessage([
      headingBlock(`${title}?`),
      ...warningBlocks(warning),
      mrkdwn(`${asker} requests this${place}. Someone else has to decide by ${formatDate(expiresMs)}.`),
      ...factLines(labelFacts(facts, label)),
      ...noteBlocks([
        ...renewal,
        'Approving allows exactly what is shown. If other people were asked too, the first decision counts.',
      ]),
      ...notes,
      ...buttonRow(decisionButtons(ask, title, asker, isForDecider)),
    ]),
  };
}

function decisionButtons(ask: Ask, title: string, asker: string, isForDecider: boolean): types.Button[] {
  const { risk, isDestructive } = ask.details;
  const steps = [...toDecisionSteps(ask), ...(isForDecider ? [] : toBreakGlassSteps(ask))];
  return steps.flatMap((step, index): types.Button[] => {
    const shown = stepButton(step, index);
    if (!shown) return [];
    const spoken = withSpokenLabel(shown, `${step.label}: ${title}`);
    if (index > 0) return [spoken];
    const dialog =
      risk === undefined
        ? {}
        : { confirm: confirmDialog('Approve this?', `${asker} gets: ${title}. ${risk}`, 'Approve') };
    return [{ ...spoken, style: isDestructive ? 'danger' : 'primary', ...dialog }];
  });
}

/** Renders the DM that the asker gets when the card can't be posted in the request's channel. */
function renderForAsker(ask: Ask, { label }: AskView): Message {
  const title = label(ask.title);
  return {
    text: notificationText(`${title}: waiting for approval`),
    blocks: [
      headingBlock(title),
      mrkdwn('⏸️ Waiting for approval. The approvers were asked in direct messages.'),
      ...buttonRow(stepButtons([toWithdrawStep(ask.id), ...toBreakGlassSteps(ask)])),
    ],
  };
}

function renderDecided(ask: Ask, view: AskView): Message {
  const title = view.label(ask.title);
  const asker = view.nameOf(ask.actor.userId);
  return {
    text: notificationText(`${title}: ${ask.decision ? 'decided' : 'no decision'}`),
    blocks: [headingBlock(title), mrkdwn(`${formatDecision(ask, view)} Requested by ${asker}.`)],
  };
}

/**
 * Renders the answer to the asker. Shows VPS labels only after an approval, because otherwise the asker may
 * not be allowed to see them.
 */
function renderAnswer(ask: Ask, view: AskView, advice: string | undefined): Message {
  const isApproved = ask.decision?.verdict === 'approved';
  const known = new Map(findUnlabelledVps(ask.title).map((vps) => [vps, view.label(vps)]));
  const label = createVpsLabeler(isApproved ? known : new Map());
  const title = label(ask.title);
  const { followUpStep } = ask.details;
  const steps = followUpStep && isApproved ? [{ ...followUpStep, label: label(followUpStep.label) }] : [];
  return {
    text: notificationText(`${title}: ${ask.decision ? 'decided' : 'no decision'}`),
    blocks: [
      headingBlock(title),
      mrkdwn([formatDecision(ask, view), ...(isApproved && advice ? [advice] : [])].join(' ')),
      ...buttonRow(stepButtons(steps)),
    ],
  };
}

function formatDecision(ask: Ask, { nameOf }: AskView): string {
  const { actor, decision, details, finishedMs, expiresMs } = ask;
  if (!decision) {
    const isExpired = (finishedMs ?? 0) >= expiresMs;
    return `${isExpired ? '💤 No one decided in time' : '🚫 Not run'}. Nothing was changed.`;
  }
  if (isBrokenGlass(ask))
    return `🚨 ${nameOf(decision.by)} broke the glass: ${escapeText(details.breakGlass?.reason ?? '')}. No second person approved it.`;
  if (decision.verdict === 'approved') return `✅ Approved by ${nameOf(decision.by)}.`;
  const word = decision.by === actor.userId ? 'Withdrawn' : `Declined by ${nameOf(decision.by)}`;
  return `🚫 ${word}. Nothing was changed.`;
}
