import type { types } from '@slack/bolt';
import { statusWords } from '../../operations/runs/status-words.ts';
import type { News } from '../../workspaces/record/news.ts';
import { tookValue } from '../../workspaces/record/recorded-run.ts';
import type { Message } from './message.ts';
import { clip, notificationText, readable } from './text.ts';
import { valueText } from './value.ts';

/** Longest that one thing in a line may be: twenty lines fit into a message. */
const whatChars = 120;
const whoChars = 120;
const saidChars = 200;

/** Shows what came onto the record, a line for each, in rich text: whatever foreign text is in it is text, and calls nobody. */
export function renderNews(news: readonly News[]): Message {
  const lines = news.map(lineOf);
  const elements = lines.flatMap(({ what, rest }, index): types.RichTextElement[] => [
    { type: 'text', text: `${index === 0 ? '' : '\n'}${what}`, style: { bold: true } },
    { type: 'text', text: rest },
  ]);
  const [first] = lines;
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : '';
  return {
    text: notificationText(`${first?.what ?? ''}${first?.rest ?? ''}${more}`),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  };
}

function lineOf({ status, what, who, tookMs, said }: News) {
  const parts = [
    statusWords[status],
    line(who, whoChars),
    ...(tookMs === null ? [] : [valueText(tookValue(tookMs))]),
    ...(said === undefined ? [] : [line(said, saidChars)]),
  ];
  return { what: line(what, whatChars), rest: ` · ${parts.join(' · ')}` };
}

function line(text: string, most: number): string {
  return clip(readable(text).replace(/\s+/g, ' '), most);
}
