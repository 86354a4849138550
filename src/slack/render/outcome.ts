import type { types } from '@slack/bolt';
import type { Choose, KeptSecrets, Listing, ToldOutcome } from '../../operations/outcome.ts';
import { actionIds, button, chooseBlockId } from '../actions.ts';
import { slashCommand } from '../slash-command.ts';
import { buttonRow, factLines, heading, mrkdwn, notes, stepButtons } from './blocks.ts';
import { charsOf, fitMessage, messageBudget } from './fit.ts';
import { limits } from './limits.ts';
import type { Message } from './message.ts';
import { pagesOf, type TablePage } from './table.ts';
import { clip, escapeText, notificationText, plain } from './text.ts';

const factsChars = 300;

/** What is said of the place of a page among the others, and on the buttons that turn to them. */
const pagingChars = 100;

export interface OutcomeView {
  /** Id of an uploaded picture of its chart. */
  readonly pictureId?: string;
  /** The run whose outcome it is, where the asker may page through it and post it to the channel. */
  readonly runId?: string;
  /** Page of its table, from 0. */
  readonly page?: number;
  /** Whether nobody can page through its table: then as much as Slack takes is on the first. */
  readonly isUnpaged?: boolean;
}

/** Shows what an operation answered. The pages of its table have whatever room the rest leaves. */
export function renderOutcome(outcome: ToldOutcome, view: OutcomeView): Message {
  const around = charsOf(outcomeBlocks(outcome, view)) + pagingChars;
  // The heads of the columns are a row too.
  const pageRows = view.isUnpaged ? limits.tableRows - 1 : undefined;
  const pages = outcome.table ? pagesOf(outcome.table, messageBudget.chars - around, pageRows) : [];
  return {
    text: notificationText(outcome.title),
    blocks: fitMessage(outcomeBlocks(outcome, view, pages)),
  };
}

function outcomeBlocks(
  outcome: ToldOutcome,
  { runId, page = 0, pictureId }: OutcomeView,
  pages: readonly TablePage[] = [],
): types.KnownBlock[] {
  const place = Math.min(page, pages.length - 1);
  const shown = pages[place];
  return [
    heading(outcome.title),
    ...factLines(outcome.facts ?? []),
    ...(shown ? [shown.block, ...pageNote(shown, pages)] : []),
    ...chartBlocks(outcome, pictureId),
    ...(outcome.listings ?? []).map(listingBlock),
    ...notes(outcome.notes ?? []),
    ...keptNote(outcome.kept),
    ...chooseBlocks(outcome.choose),
    ...buttonRow([
      ...secretButtons(outcome.kept),
      ...(runId ? pageButtons(runId, place, pages.length) : []),
      ...stepButtons(outcome.next),
      ...(runId && isWorthPosting(outcome)
        ? [button(actionIds.share, 'Post to Channel', `${runId}:${place < 0 ? 0 : place}`)]
        : []),
    ]),
  ];
}

/** Tells whether there is anything in an outcome for others to look at: a sentence alone confirms to its asker what they did. */
function isWorthPosting({ facts = [], listings = [], table, chart }: ToldOutcome): boolean {
  return facts.length > 0 || listings.length > 0 || table !== undefined || chart !== undefined;
}

/** Shows the picture, or says in words alone what it would show. */
function chartBlocks({ chart }: ToldOutcome, pictureId: string | undefined): types.KnownBlock[] {
  if (!chart) return [];
  // What it says of each series is read line by line.
  const words = mrkdwn(escapeText(chart.takeaway.replaceAll('; ', '\n')));
  if (pictureId === undefined) return [words];
  const alt_text = clip(chart.takeaway, limits.altTextChars);
  return [...(chart.isTold ? [] : [words]), { type: 'image', slack_file: { id: pictureId }, alt_text }];
}

/** Writes the button that shows secrets once, for their asker alone. */
export function secretButtons(kept: KeptSecrets | undefined): types.Button[] {
  return kept ? [button(actionIds.secret, 'Show Once', kept.id)] : [];
}

/** Says what is kept, and for how long. */
export function keptNote(kept: KeptSecrets | undefined): types.KnownBlock[] {
  if (!kept) return [];
  const until = Math.floor(kept.untilMs / 1000);
  const time = `<!date^${until}^{time}|${new Date(kept.untilMs).toISOString()}>`;
  const what = escapeText(clip(kept.labels.join(', '), factsChars));
  return [
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: `🔒 ${what}: shown once, to whoever asked, until ${time}.`, verbatim: true },
      ],
    },
  ];
}

/** Writes the selects by which the next operation is run on one of many. */
export function chooseBlocks(choose: readonly Choose[] = []): types.KnownBlock[] {
  return choose.flatMap((one): types.KnownBlock[] => {
    const block_id = chooseBlockId(one);
    if (block_id === undefined) return [];
    const placeholder = plain(`${one.label}…`, limits.placeholderChars);
    const element = { action_id: actionIds.remote, min_query_length: 0, placeholder };
    return [{ type: 'actions', block_id, elements: [{ type: 'external_select', ...element }] }];
  });
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
