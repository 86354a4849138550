import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Confirmation } from '../../runs/run-reply.ts';
import { actionIds } from './elements/action-ids.ts';
import { button } from './elements/buttons.ts';
import { truncate } from './elements/text.ts';

/** The actions whose buttons open the modal. */
export const typedConfirmationActions = [
  actionIds.confirmTyped,
  actionIds.confirmTypedPace,
  actionIds.confirmReason,
  actionIds.confirmSnapshotFirst,
] as const;

/** Maximum lengths of the payload's parts, so that it fits into a button's value. */
const maxTitleChars = 200;
const maxWarningChars = 300;

/** The button's payload. It contains everything that the modal shows, because there is no time to load it. */
export const confirmationPayload = z.object({
  token: z.string(),
  /** Undefined if nothing has to be typed. */
  expectedText: z.string().optional(),
  alsoAccepted: z.array(z.string()).optional(),
  title: z.string(),
  button: z.string(),
  warning: z.string().optional(),
  /** Set if a reason must be given. */
  needsReason: z.literal(true).optional(),
  /** How many VPS of a batch are changed at a time. */
  atATime: z.number().optional(),
  /** Set if a snapshot is taken first. */
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

/** Returns the button that opens the modal for the text that a card asks for. */
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
