import type { types } from '@slack/bolt';
import type { Listing, Outcome } from '../../operations/outcome.ts';
import { actionIds, button } from '../actions.ts';
import { slashCommand } from '../slash-command.ts';
import { buttonRow, factLines, heading, mrkdwn, notes, stepButtons } from './blocks.ts';
import type { Message } from './message.ts';
import { pagesOf, type TablePage } from './table.ts';
import { escapeText, notificationText } from './text.ts';

export interface OutcomeView {
  /** The run whose outcome it is, where the asker may page through it and post it to the channel. */
  readonly runId?: string;
  /** Page of its table, from 0. */
  readonly page?: number;
}

/** Shows what an operation answered. */
export function renderOutcome(outcome: Outcome, { runId, page = 0 }: OutcomeView): Message {
  const pages = outcome.table ? pagesOf(outcome.table) : [];
  const shown = pages[Math.min(page, pages.length - 1)];
  return {
    text: notificationText(outcome.title),
    blocks: [
      heading(outcome.title),
      ...factLines(outcome.facts ?? []),
      ...(shown ? [shown.block, ...pageNote(shown, pages)] : []),
      ...(outcome.listings ?? []).map(listingBlock),
      ...notes(outcome.notes ?? []),
      ...buttonRow([
        ...(runId ? pageButtons(runId, Math.min(page, pages.length - 1), pages.length) : []),
        ...stepButtons(outcome.next),
        ...(runId ? [button(actionIds.share, 'Post to Channel', `${runId}:${page}`)] : []),
      ]),
    ],
  };
}

function pageNote({ before, rows }: TablePage, pages: readonly TablePage[]): types.KnownBlock[] {
  const all = pages.reduce((sum, page) => sum + page.rows, 0);
  return pages.length < 2 ? [] : notes([`${before + 1} to ${before + rows} of ${all}`]);
}

function pageButtons(runId: string, page: number, pages: number): types.Button[] {
  return [
    ...(page > 0 ? [button('page:previous', 'Previous', `${runId}:${page - 1}`)] : []),
    ...(page < pages - 1 ? [button('page:next', 'Next', `${runId}:${page + 1}`)] : []),
  ];
}

function listingBlock({ heading: title, items }: Listing): types.KnownBlock {
  const lines = items.map(({ typed, text }) =>
    `\`${slashCommand} ${escapeText(typed)}\`  ${escapeText(text)}`.trim(),
  );
  return mrkdwn([`*${escapeText(title)}*`, ...lines].join('\n'));
}
