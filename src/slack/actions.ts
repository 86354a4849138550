import { randomUUID } from 'node:crypto';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Choose, NextStep, RawInput, RawValue } from '../operations/outcome.ts';
import { limits } from './render/limits.ts';
import { plain } from './render/text.ts';

/** Ids of the buttons, by which Slack tells which was pressed. */
export const actionIds = {
  confirm: 'confirm',
  cancel: 'cancel',
  share: 'share',
  page: /^page:(previous|next)$/,
  step: /^step:\d+$/,
  secret: 'secret',
  approve: 'approve',
  decline: 'decline',
  /** Of the App Home. */
  homePage: /^home:(previous|next|refresh)$/,
  homeVps: 'home:vps',
  /** Every select of what the service has. */
  remote: 'remote',
  rowAdd: 'row:add',
  rowRemove: 'row:remove',
} as const;

const rawRow = z.record(z.string(), z.union([z.string(), z.boolean()]));
const rawValue: z.ZodType<RawValue> = z.union([
  z.string(),
  z.boolean(),
  z.array(z.union([z.string(), rawRow])),
]);

/** Checks what a button or a form carries of an input. */
export const rawInput: z.ZodType<RawInput> = z.record(z.string(), rawValue);

const stepValue = z.object({
  operation: z.string(),
  input: rawInput,
  opensForm: z.boolean().default(false),
  /** As the operation has it where it is left out. */
  isPublic: z.boolean().optional(),
  /** Minted with the button, so that pressing it twice changes something once. */
  requestKey: z.string(),
});

export type StepValue = z.infer<typeof stepValue>;

/** Makes the button of a next step; none where its input is longer than Slack lets a button carry. */
export function stepButton(step: NextStep, index: number): types.Button | undefined {
  const { label, operation, input, opensForm = false, isPublic } = step;
  const requestKey = randomUUID();
  const value = JSON.stringify({
    operation,
    input,
    opensForm,
    ...(isPublic !== undefined && { isPublic }),
    requestKey,
  } satisfies StepValue);
  if (value.length > limits.buttonValueChars) return undefined;
  return button(`step:${index}`, label, value);
}

/** Reads the value of a step's button. */
export function readStep(value: string): StepValue {
  return stepValue.parse(JSON.parse(value));
}

/** Makes a button. */
export function button(
  action_id: string,
  label: string,
  value: string,
  style?: 'primary' | 'danger',
): types.Button {
  return {
    type: 'button',
    action_id,
    text: plain(label, limits.buttonChars),
    value,
    ...(style && { style }),
  };
}

const chosenNext = z.object({ operation: z.string(), argument: z.string(), input: rawInput });

/** Makes the id of the block in which a next operation's argument is chosen; none where it is longer than Slack lets it be. */
export function chooseBlockId({ operation, argument, input }: Choose): string | undefined {
  const id = JSON.stringify({ operation, argument, input } satisfies z.input<typeof chosenNext>);
  return id.length <= limits.idChars ? id : undefined;
}

/** Reads the id of such a block. */
export function readChooseBlock(blockId: string): z.infer<typeof chosenNext> | undefined {
  try {
    return chosenNext.parse(JSON.parse(blockId));
  } catch {
    return undefined;
  }
}
