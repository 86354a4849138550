import type { types } from '@slack/bolt';
import type { Fact, NextStep } from '../../operations/outcome.ts';
import { stepButton } from '../actions.ts';
import { limits } from './limits.ts';
import { clip, clipMarkup, plain, readable } from './text.ts';
import { valueElement } from './value.ts';

const headingChars = 500;
const factLabelChars = 60;
const factValueChars = 200;
const noteChars = 500;

/** Writes a heading in bold, in rich text: whatever foreign text is in it stays text. */
export function heading(title: string): types.RichTextBlock {
  const text = clip(readable(title).replace(/\s+/g, ' '), headingChars);
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] }],
  };
}

/** Writes a section of markup, whose foreign parts are escaped already. */
export function mrkdwn(text: string): types.SectionBlock {
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: clipMarkup(text, limits.sectionChars), verbatim: true },
  };
}

/** Writes facts line by line, as "Label: value". */
export function factLines(facts: readonly Fact[]): types.KnownBlock[] {
  if (facts.length === 0) return [];
  const elements = facts.flatMap(({ label, value }, index): types.RichTextElement[] => [
    {
      type: 'text',
      text: `${index === 0 ? '' : '\n'}${clip(readable(label).replace(/\s+/g, ' '), factLabelChars)}: `,
      style: { bold: true },
    },
    valueElement(value, factValueChars),
  ]);
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
}

/** Writes small print, line by line. */
export function notes(lines: readonly string[]): types.KnownBlock[] {
  return lines.map((line) => ({ type: 'context', elements: [plain(line, noteChars)] }));
}

/** Writes buttons in a row, if there are any. */
export function buttonRow(buttons: readonly types.Button[]): types.KnownBlock[] {
  return buttons.length === 0
    ? []
    : [{ type: 'actions', elements: buttons.slice(0, limits.buttonsPerBlock) }];
}

/** Writes the next steps as buttons. */
export function stepButtons(steps: readonly NextStep[] = []): types.Button[] {
  return steps.flatMap((step, index) => stepButton(step, index) ?? []);
}
