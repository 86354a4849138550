import { expect } from 'vitest';
import { z } from 'zod';
import { actionIds } from '../../../src/slack/blocks/elements/action-ids.ts';
import { parseStepValue } from '../../../src/slack/blocks/elements/buttons.ts';
import type { SlackMessage } from '../../stack.ts';

const buttonSchema = z.object({
  type: z.literal('button'),
  action_id: z.string(),
  value: z.string(),
  text: z.object({ text: z.string() }),
  accessibility_label: z.string().max(75).optional(),
});

/**
 * Expects that a screen reader says about each button of a message what it acts on. A next step
 * without input acts on nothing in particular.
 */
export function expectSpokenTargets({ blocks, text: title }: SlackMessage): void {
  const elements = blocks.flatMap((block) => [...(block.elements ?? []), block.accessory]);
  for (const element of elements) {
    const found = buttonSchema.safeParse(element).data;
    if (!found) continue;
    const { action_id, value, text, accessibility_label: spoken } = found;
    if (!actionIds.step.test(action_id)) {
      expect(spoken, `the button ${text.text} of "${title}"`).toMatch(/ /);
      expect(spoken?.startsWith(text.text.replace(/…$/, '').slice(0, 20))).toBe(true);
      continue;
    }
    const target = Object.values(parseStepValue(value).input).find((given) => typeof given === 'string');
    if (typeof target !== 'string' || target === '') continue;
    const said = [text.text, spoken ?? ''].some(
      (words) => words.includes(target.slice(0, 10)) || /-\d\d/.test(words),
    );
    expect(said, `the button ${text.text} of "${title}" names ${target}`).toBe(true);
  }
}
