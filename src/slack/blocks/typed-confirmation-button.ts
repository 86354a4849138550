import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Confirmation } from '../../runs/run-reply.ts';
import { actionIds } from './elements/action-ids.ts';
import { button } from './elements/buttons.ts';
import { truncate } from './elements/text.ts';

/** Maximum lengths of its parts, with which the payload fits into a button's value. */
const maxTitleChars = 200;
const maxWarningChars = 300;

/** The button's payload. It contains everything that the modal shows, because there is no time to load it. */
const payloadSchema = z.object({
  token: z.string(),
  expectedText: z.string(),
  alsoAccepted: z.array(z.string()).optional(),
  title: z.string(),
  button: z.string(),
  warning: z.string().optional(),
});

export type ConfirmationPayload = z.infer<typeof payloadSchema>;

/** Returns the button of a confirmation card for which people must type something. */
export function typedConfirmationButton(
  { token, title, button: label, warning, effect, alsoAccepted = [] }: Confirmation,
  expectedText: string,
): types.Button {
  const payload: ConfirmationPayload = {
    token,
    expectedText,
    ...(alsoAccepted.length > 0 && { alsoAccepted: [...alsoAccepted] }),
    title: truncate(title, maxTitleChars),
    button: label,
    ...(warning && { warning: truncate(warning, maxWarningChars) }),
  };
  const style = effect === 'destroy' ? 'danger' : 'primary';
  return button(actionIds.confirmTyped, `${label}…`, JSON.stringify(payload), style);
}

export function parseConfirmationPayload(value: string): ConfirmationPayload {
  return payloadSchema.parse(JSON.parse(value));
}
