import { randomUUID } from 'node:crypto';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { rawInputSchema } from '../../../operations/define/arguments/raw-input.ts';
import type { ChoiceStep, NextStep } from '../../../operations/define/outcome.ts';
import { limits } from './limits.ts';
import { plainText } from './text.ts';

const stepValueSchema = z.object({
  operation: z.string(),
  input: rawInputSchema,
  opensForm: z.boolean().default(false),
  /** If undefined, the operation's default applies. */
  isPublic: z.boolean().optional(),
  isUncertain: z.boolean().optional(),
  undo: z.object({ expectedState: z.string(), untilMs: z.number() }).optional(),
  /** Set if the button answers its message's question. The reply then replaces the message. */
  isAnswer: z.boolean().optional(),
  /** Created with the button, so a second click doesn't repeat the change. */
  requestKey: z.string(),
});

export type StepValue = z.infer<typeof stepValueSchema>;

/**
 * Returns a next step's button, or undefined if its input doesn't fit into a button's value. `title` is the
 * message's title, which contains the VPS label.
 */
export function stepButton(
  step: NextStep,
  index: number,
  title = '',
  isAnswer = false,
): types.Button | undefined {
  const { label, operation, input, opensForm = false, isPublic, isUncertain, undo, isPrimary } = step;
  const requestKey = randomUUID();
  const value = JSON.stringify({
    operation,
    input,
    opensForm,
    ...(isPublic !== undefined && { isPublic }),
    ...(isUncertain && { isUncertain }),
    ...(undo && { undo }),
    ...(isAnswer && { isAnswer }),
    requestKey,
  } satisfies StepValue);
  if (value.length > limits.buttonValueChars) return undefined;
  const shown = button(`step:${index}`, label, value, isPrimary ? 'primary' : undefined);
  return withSpokenLabel(shown, describeStep(step, title));
}

/** Returns a step's label with its VPS, such as "Graph web-01 (VPS-10001)", unless the label already names the VPS. */
function describeStep({ label, input }: NextStep, title: string): string {
  const { vps } = input;
  if (typeof vps !== 'string' || vps === '') return describeOther(label, input, title);
  const words = title.split(/\s+/);
  const name = words[words.indexOf(`(${vps})`) - 1];
  const isNamed = label.includes(vps) || (name !== undefined && label.includes(name));
  return isNamed ? label : `${label} ${name === undefined ? `(${vps})` : `${name} (${vps})`}`;
}

/**
 * Returns the screen-reader label of a step that isn't about a single VPS. Adds the message's title if the
 * step has targets; otherwise adds the first text in the step's input, as in "Pause morning".
 */
function describeOther(label: string, input: NextStep['input'], title: string): string {
  if (input.targets !== undefined && title) return `${label}: ${title}`;
  const target = Object.values(input).find((value) => typeof value === 'string' && value !== '');
  return typeof target !== 'string' || label.includes(target) ? label : `${label} ${target}`;
}

/**
 * Gives a button a longer label for screen readers, which read buttons without their context. The label
 * starts with the visible one, so voice control still finds the button.
 */
export function withSpokenLabel(shown: types.Button, label: string): types.Button {
  const spoken = plainText(label, limits.buttonChars).text;
  return spoken === shown.text.text ? shown : { ...shown, accessibility_label: spoken };
}

const stepMenuPrefix = 'step-menu:';

const menuStepsSchema = z.array(z.tuple([z.string(), rawInputSchema, z.boolean()]));

/**
 * Returns an overflow menu of next steps, or undefined if there are fewer than two or they exceed Slack's
 * limits. The steps are stored in the action ID, because an option's value is too short.
 */
export function stepMenu(steps: readonly NextStep[]): types.Overflow | undefined {
  if (steps.length < 2 || steps.length > limits.overflowOptions) return undefined;
  const stored = steps.map(({ operation, input, opensForm = false }) => [operation, input, opensForm]);
  const action_id = `${stepMenuPrefix}${JSON.stringify(stored)}`;
  if (action_id.length > limits.idChars) return undefined;
  const options = steps.map(({ label }, index) => ({
    text: plainText(label, limits.optionChars),
    value: String(index),
  }));
  return { type: 'overflow', action_id, options };
}

/** Parses the step chosen from a menu. Returns undefined if the menu has no such step. */
export function parseMenuStep(actionId: string, value: string, requestKey: string): StepValue | undefined {
  const steps = menuStepsSchema.parse(JSON.parse(actionId.slice(stepMenuPrefix.length)));
  const chosen = steps[Number(value)];
  if (!chosen) return undefined;
  const [operation, input, opensForm] = chosen;
  return { operation, input, opensForm, requestKey };
}

export function parseStepValue(value: string): StepValue {
  return stepValueSchema.parse(JSON.parse(value));
}

export function button(
  action_id: string,
  label: string,
  value: string,
  style?: 'primary' | 'danger',
): types.Button {
  return {
    type: 'button',
    action_id,
    text: plainText(label, limits.buttonChars),
    value,
    ...(style && { style }),
  };
}

/** Returns a button's confirmation dialog, with texts cut to Slack's limits. */
export function confirmDialog(title: string, text: string, confirm: string): types.ConfirmationDialog {
  return {
    title: plainText(title, 100),
    text: plainText(text, 300),
    confirm: plainText(confirm, 30),
    deny: plainText('Cancel', 30),
    style: 'danger',
  };
}

const chooseBlockSchema = z.object({ operation: z.string(), argument: z.string(), input: rawInputSchema });

/**
 * Returns the block ID of a select for a next operation's argument, or undefined if the ID would
 * exceed Slack's limit.
 */
export function toChooseBlockId({ operation, argument, input }: ChoiceStep): string | undefined {
  const id = JSON.stringify({ operation, argument, input } satisfies z.input<typeof chooseBlockSchema>);
  return id.length <= limits.idChars ? id : undefined;
}

/** Parses a block ID from `toChooseBlockId`. Returns undefined for other blocks. */
export function parseChooseBlockId(blockId: string): z.infer<typeof chooseBlockSchema> | undefined {
  try {
    return chooseBlockSchema.parse(JSON.parse(blockId));
  } catch {
    return undefined;
  }
}
