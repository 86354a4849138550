import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Confirmation } from '../../operations/runs/answer.ts';
import { button } from '../actions.ts';
import { heading, notes } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { clip, plain } from '../render/text.ts';

/** Id of the button of a card that wants a text typed. */
export const typedActionId = 'confirm:typed';

/** Callback id of the view in which it is typed. */
export const typedCallbackId = 'typed-confirmation';

/** The only field of that view, and its element. */
export const typedField = { block: 'typed', action: 'value' } as const;

/** Together with the token they must fit into what a button carries. */
const titleChars = 200;
const warningChars = 300;

/** What the button of the card carries: everything that the view shows, for there is no time to look it up. */
const question = z.object({
  token: z.string(),
  typed: z.string(),
  title: z.string(),
  button: z.string(),
  warning: z.string().optional(),
});

type Question = z.infer<typeof question>;

/** What the view carries: the confirmation, and the place of the card that asks. */
const typedMetadata = z.object({
  token: z.string(),
  typed: z.string(),
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  /** Replaces and removes the card. */
  cardUrl: z.string().optional(),
  /** The view in which the card stands, if it stands in one. */
  cardView: z.object({ id: z.string(), title: z.string() }).optional(),
});

export type TypedMetadata = z.infer<typeof typedMetadata>;

/** Makes the button of a card that wants a text typed. */
export function typedButton(
  { token, title, button: label, warning, effect }: Confirmation,
  typed: string,
): types.Button {
  const carried: Question = {
    token,
    typed,
    title: clip(title, titleChars),
    button: label,
    ...(warning && { warning: clip(warning, warningChars) }),
  };
  const style = effect === 'destroy' ? 'danger' : 'primary';
  return button(typedActionId, `${label}…`, JSON.stringify(carried), style);
}

/** Reads what that button carries. */
export function readQuestion(value: string): Question {
  return question.parse(JSON.parse(value));
}

/** Builds the view in which the text is typed. */
export function typedView(
  { token, typed, title, button: label, warning }: Question,
  card: Omit<TypedMetadata, 'token' | 'typed'>,
): types.ModalView {
  return {
    type: 'modal',
    callback_id: typedCallbackId,
    private_metadata: JSON.stringify({ token, typed, ...card } satisfies TypedMetadata),
    title: plain('Are you sure?', limits.viewTitleChars),
    submit: plain(label, limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      heading(`${title}?`),
      ...notes(warning ? [warning] : []),
      {
        type: 'input',
        block_id: typedField.block,
        label: plain(`Type ${typed} to go on`, limits.labelChars),
        element: { type: 'plain_text_input', action_id: typedField.action, focus_on_load: true },
      },
    ],
  };
}

/** Reads what the view carries. */
export function readTyped(text: string): TypedMetadata {
  return typedMetadata.parse(JSON.parse(text));
}
