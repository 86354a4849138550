import type { types } from '@slack/bolt';
import type { Fact, NextStep } from '../../../operations/define/outcome.ts';
import { stepButton } from './buttons.ts';
import { limits } from './limits.ts';
import { escapeText, formatDate, plainText, toPrintable, truncate, truncateMrkdwn } from './text.ts';
import { formatValue, isWritableTime, valueElement } from './value.ts';

const headingChars = 500;
const factLabelChars = 60;
const factValueChars = 200;
const noteChars = 500;

/** Returns a bold heading as rich text, where markup in untrusted text has no effect. */
export function headingBlock(title: string): types.RichTextBlock {
  const text = truncate(toPrintable(title).replace(/\s+/g, ' '), headingChars);
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] }],
  };
}

/** Returns a bold warning about what will be lost or interrupted. */
export function warningBlocks(warning: string | undefined): types.RichTextBlock[] {
  return warning === undefined ? [] : [headingBlock(`⚠️ ${warning}`)];
}

/** Returns a mrkdwn section. Untrusted text must already be escaped. */
export function mrkdwn(text: string): types.SectionBlock {
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: truncateMrkdwn(text, limits.sectionChars), verbatim: true },
  };
}

/** Returns facts as "Label: value" lines. Line breaks in values are removed, so a value can't imitate another fact. */
export function factLines(facts: readonly Fact[]): types.KnownBlock[] {
  if (facts.length === 0) return [];
  const elements = facts.flatMap(({ label, value }, index): types.RichTextElement[] => [
    {
      type: 'text',
      text: `${index === 0 ? '' : '\n'}${truncate(toPrintable(label).replace(/\s+/g, ' '), factLabelChars)}: `,
      style: { bold: true },
    },
    toOneLine(valueElement(value, factValueChars)),
  ]);
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
}

/** Returns facts in two columns. Phones show a single column. */
export function factColumns(facts: readonly Fact[]): types.SectionBlock[] {
  const fields = facts.map(({ label, value }): types.MrkdwnElement => {
    const name = escapeText(truncate(label.replace(/\s+/g, ' '), factLabelChars));
    const timeMs = isWritableTime(value) ? value.timeMs : undefined;
    const shown =
      timeMs === undefined
        ? escapeText(truncate(formatValue(value).replace(/\s+/g, ' '), factValueChars))
        : formatDate(timeMs, '{date_short_pretty} at {time}');
    return { type: 'mrkdwn', text: `*${name}:* ${shown}`, verbatim: true };
  });
  return Array.from({ length: Math.ceil(fields.length / limits.fields) }, (_, index) => ({
    type: 'section',
    fields: fields.slice(index * limits.fields, (index + 1) * limits.fields),
  }));
}

function toOneLine(element: types.RichTextElement): types.RichTextElement {
  return element.type === 'text'
    ? { ...element, text: element.text.replace(/\s*[\n\u2028\u2029]\s*/g, ' ') }
    : element;
}

/** Returns small print, one block per line. */
export function noteBlocks(lines: readonly string[]): types.KnownBlock[] {
  return lines.map((line) => ({ type: 'context', elements: [plainText(line, noteChars)] }));
}

/** Returns a row of buttons with an optional menu at the end, or no block if both are missing. */
export function buttonRow(
  buttons: readonly types.Button[],
  menu?: types.Overflow | undefined,
): types.KnownBlock[] {
  const shown = buttons.slice(0, limits.buttonsPerBlock - (menu ? 1 : 0));
  const elements = [...shown, ...(menu ? [menu] : [])];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

/**
 * Returns next steps as buttons. `title` is the message's title. `isQuestion` says whether the steps answer the
 * message's question.
 */
export function stepButtons(steps: readonly NextStep[] = [], title = '', isQuestion = false): types.Button[] {
  return steps.flatMap((step, index) => stepButton(step, index, title, isQuestion) ?? []);
}
