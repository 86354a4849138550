import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Confirmation } from '../../runs/run-reply.ts';
import { actionIds } from './elements/action-ids.ts';
import { buttonRow, factLines, headingBlock, noteBlocks, warningBlocks } from './elements/blocks.ts';
import { button, withSpokenLabel } from './elements/buttons.ts';
import { fitMessage } from './elements/fit-message.ts';
import { notificationText, truncate } from './elements/text.ts';
import type { Message } from './message.ts';

/** Renders the confirmation card, which shows the target's current state and the effect of the operation. */
export function renderConfirmation(confirmation: Confirmation): Message {
  const {
    token,
    title,
    button: label,
    warning,
    notes = [],
    facts,
    textToType,
    reason,
    effect,
  } = confirmation;
  const needsReason = reason === 'required' || undefined;
  const style = effect === 'destroy' ? 'danger' : 'primary';
  const spoken = (shown: string) => (title.startsWith(shown) ? title : `${shown}: ${title}`);
  const confirmButton =
    textToType === undefined && !needsReason
      ? withSpokenLabel(button(actionIds.confirm, label, token, style), spoken(label))
      : withSpokenLabel(
          typedConfirmationButton(confirmation, {
            actionId: actionIds.confirmTyped,
            label,
            style,
            needsReason,
          }),
          spoken(`${label}…`),
        );
  return {
    text: notificationText(`${title}?`),
    blocks: fitMessage([
      headingBlock(`${title}?`),
      ...warningBlocks(warning),
      ...factLines(facts),
      ...noteBlocks([
        ...(confirmation.hasTargetChanged
          ? ['The target has changed since you were asked. Check it before you confirm.']
          : []),
        ...notes,
      ]),
      ...buttonRow([
        confirmButton,
        ...paceButtons(confirmation),
        ...snapshotButtons(confirmation),
        ...reasonButtons(confirmation),
        withSpokenLabel(button(actionIds.cancel, 'Cancel', token), `Cancel: ${title}`),
      ]),
    ]),
  };
}

/** Returns the button that confirms a batch and limits how many VPS are changed at a time. */
function paceButtons(confirmation: Confirmation): types.Button[] {
  const { token, title, pace, reason } = confirmation;
  if (!pace) return [];
  const { button: label, atATime } = pace;
  const options = { actionId: actionIds.confirmTypedPace, label, needsReason: true, atATime } as const;
  const shown =
    reason === 'required'
      ? typedConfirmationButton(confirmation, options)
      : button(actionIds.confirmPace, label, `${token}:${atATime}`);
  return [withSpokenLabel(shown, `${shown.text.text}: ${title}`)];
}

function snapshotButtons(confirmation: Confirmation): types.Button[] {
  const { title, offersSnapshot, reason } = confirmation;
  if (!offersSnapshot) return [];
  const shown = typedConfirmationButton(confirmation, {
    actionId: actionIds.confirmSnapshotFirst,
    label: 'Snapshot First',
    needsReason: reason === 'required' || undefined,
    snapshotFirst: true,
  });
  return [withSpokenLabel(shown, `Snapshot First…: ${title}`)];
}

/**
 * Returns the button for adding an optional reason. Returns none for a typed confirmation, whose modal already has a
 * reason field.
 */
function reasonButtons(confirmation: Confirmation): types.Button[] {
  const { title, textToType, reason } = confirmation;
  if (reason !== 'optional' || textToType !== undefined) return [];
  const options = { actionId: actionIds.confirmReason, label: 'Add Reason', needsReason: true } as const;
  return [withSpokenLabel(typedConfirmationButton(confirmation, options), `Add Reason…: ${title}`)];
}

export function parsePaceValue(value: string): { readonly token: string; readonly atATime: number } {
  const [token = '', atATime = ''] = value.split(':');
  return { token, atATime: Number(atATime) };
}

export const typedConfirmationActions = [
  actionIds.confirmTyped,
  actionIds.confirmTypedPace,
  actionIds.confirmReason,
  actionIds.confirmSnapshotFirst,
] as const;

/** Maximum lengths that keep the payload within Slack's limit for a button's value. */
const maxTitleChars = 200;
const maxWarningChars = 300;

/** The button's payload. Contains everything that the modal shows, because there's no time to load anything. */
export const confirmationPayload = z.object({
  token: z.string(),
  /** Undefined if nothing has to be typed. */
  expectedText: z.string().optional(),
  alsoAccepted: z.array(z.string()).optional(),
  title: z.string(),
  button: z.string(),
  warning: z.string().optional(),
  needsReason: z.literal(true).optional(),
  /** How many VPS in a batch are changed at a time. */
  atATime: z.number().optional(),
  snapshotFirst: z.literal(true).optional(),
});

interface ButtonOptions {
  readonly actionId: (typeof typedConfirmationActions)[number];
  readonly label: string;
  readonly style?: 'primary' | 'danger';
  readonly needsReason?: true | undefined;
  readonly atATime?: number;
  readonly snapshotFirst?: true;
}

export type ConfirmationPayload = z.infer<typeof confirmationPayload>;

/** Returns the button that opens the modal for a typed confirmation or a reason. */
export function typedConfirmationButton(
  { token, title, button: label, warning, textToType: expectedText, alsoAccepted = [] }: Confirmation,
  { actionId, label: shownLabel, style, needsReason, atATime, snapshotFirst }: ButtonOptions,
): types.Button {
  const payload: ConfirmationPayload = {
    token,
    ...(expectedText !== undefined && { expectedText }),
    ...(alsoAccepted.length > 0 && { alsoAccepted: [...alsoAccepted] }),
    title: truncate(title, maxTitleChars),
    button: label,
    ...(warning && { warning: truncate(warning, maxWarningChars) }),
    ...(needsReason && { needsReason }),
    ...(atATime !== undefined && { atATime }),
    ...(snapshotFirst && { snapshotFirst }),
  };
  return button(actionId, `${shownLabel}…`, JSON.stringify(payload), style);
}
