import type { types } from '@slack/bolt';
import type { ChoiceStep, Listing, RedactedOutcome, SecretRef } from '../../operations/define/outcome.ts';
import { slashCommandName } from '../slash-command-name.ts';
import { actionIds } from './elements/action-ids.ts';
import {
  buttonRow,
  factColumns,
  factLines,
  headingBlock,
  mrkdwn,
  noteBlocks,
  stepButtons,
} from './elements/blocks.ts';
import { button, stepButton, stepMenu, toChooseBlockId, withSpokenLabel } from './elements/buttons.ts';
import { countChars, fitMessage, messageBudget } from './elements/fit-message.ts';
import { limits } from './elements/limits.ts';
import { paginateTable, type TablePage } from './elements/table.ts';
import {
  escapeReferences,
  escapeText,
  formatDate,
  notificationText,
  plainText,
  truncate,
} from './elements/text.ts';
import type { Message } from './message.ts';

const factsChars = 300;

/** Number of characters reserved for the page number and the paging buttons. */
const pagingChars = 100;

export interface OutcomeView {
  /** File ID of the chart's uploaded image. */
  readonly imageFileId?: string;
  /** Another uploaded image, described only by its alt text. */
  readonly picture?: { readonly fileId: string; readonly altText: string };
  /** The run's ID. Set if the actor can page through the outcome and post it to the channel. */
  readonly runId?: string;
  /** Whether everyone who saw the request already sees the outcome. If so, there's no Post to Channel button. */
  readonly isShared?: boolean;
  /** Page of the table, counted from 0. */
  readonly page?: number;
  /** Whether paging is impossible. The first page then contains as much as Slack accepts. */
  readonly isUnpaged?: boolean;
}

/** Renders an outcome. Its table's pages use the space left by the other blocks. */
export function renderOutcome(outcome: RedactedOutcome, view: OutcomeView): Message {
  const otherChars = countChars(outcomeBlocks(outcome, view)) + pagingChars;
  const pages = outcome.table
    ? paginateTable(outcome.table, {
        caption: outcome.table.columns[0] ?? outcome.title,
        availableChars: messageBudget.chars - otherChars,
        isUnpaged: view.isUnpaged ?? false,
      })
    : [];
  return {
    text: notificationText(outcome.title),
    blocks: fitMessage(outcomeBlocks(outcome, view, pages)),
  };
}

function outcomeBlocks(
  outcome: RedactedOutcome,
  { runId, page = 0, imageFileId, picture, isShared = false }: OutcomeView,
  pages: readonly TablePage[] = [],
): types.KnownBlock[] {
  const pageIndex = Math.min(page, pages.length - 1);
  const tablePage = pages[pageIndex];
  const { next = [] } = outcome;
  const menu = stepMenu(next.filter(({ isMinor }) => isMinor));
  return [
    headingBlock(outcome.title),
    ...(outcome.hasTwoColumns ? factColumns(outcome.facts ?? []) : factLines(outcome.facts ?? [])),
    ...actionLineBlocks(outcome),
    ...chartBlocks(outcome, imageFileId),
    ...(picture ? [imageBlock(picture.fileId, picture.altText)] : []),
    ...(tablePage ? tableBlocks(tablePage, pages) : []),
    ...(outcome.listings ?? []).map(listingBlock),
    ...noteBlocks(outcome.notes ?? []),
    ...secretNote(outcome.secretRef),
    ...chooseBlocks(outcome.choiceSteps),
    ...buttonRow(
      [
        ...secretButtons(outcome.secretRef, outcome.title),
        ...(runId
          ? pageButtons(isShared ? `${sharedPrefix}${runId}` : runId, pageIndex, pages.length, outcome.title)
          : []),
        ...stepButtons(
          menu ? next.filter(({ isMinor }) => !isMinor) : next,
          outcome.title,
          outcome.isQuestion,
        ),
        ...(runId && !isShared && canShare(outcome)
          ? [
              withSpokenLabel(
                button(actionIds.share, 'Post to Channel', `${runId}:${pageIndex < 0 ? 0 : pageIndex}`),
                `Post to Channel: ${outcome.title}`,
              ),
            ]
          : []),
      ],
      menu,
    ),
  ];
}

function actionLineBlocks({ actionLines = [] }: RedactedOutcome): types.KnownBlock[] {
  return actionLines.map(({ label, text, step }, index) => {
    const line = mrkdwn(`*${escapeText(label)}:* ${escapeText(text)}`);
    const accessory = stepButton(step, index, label);
    return accessory ? { ...line, accessory } : line;
  });
}

/** Returns whether an outcome has content worth posting. A title on its own only confirms an action. */
function canShare({ facts = [], listings = [], table, chart, isQuestion }: RedactedOutcome): boolean {
  if (isQuestion) return false;
  return facts.length > 0 || listings.length > 0 || table !== undefined || chart !== undefined;
}

/** Returns the chart's image and, below it, the chart's takeaway as text. */
function chartBlocks({ chart }: RedactedOutcome, imageFileId: string | undefined): types.KnownBlock[] {
  if (!chart) return [];
  // Each series gets its own line.
  const takeaway = mrkdwn(escapeText(chart.takeaway.replaceAll('; ', '\n')));
  if (imageFileId === undefined) return [takeaway];
  return [imageBlock(imageFileId, chart.takeaway), ...(chart.isCoveredByFacts ? [] : [takeaway])];
}

function imageBlock(id: string, altText: string): types.ImageBlock {
  return { type: 'image', slack_file: { id }, alt_text: truncate(altText, limits.altTextChars) };
}

/** Returns the button that shows secrets once, and only to their requester. */
export function secretButtons(secretRef: SecretRef | undefined, title: string): types.Button[] {
  return secretRef
    ? [withSpokenLabel(button(actionIds.secret, 'Show Once', secretRef.id), `Show Once: ${title}`)]
    : [];
}

export function secretNote(secretRef: SecretRef | undefined): types.KnownBlock[] {
  if (!secretRef) return [];
  const time = formatDate(secretRef.expiresMs, '{time}');
  const labels = escapeText(truncate(secretRef.labels.join(', '), factsChars));
  return [
    {
      type: 'context',
      elements: [
        {
          type: 'mrkdwn',
          text: `🔒 ${labels}: shown once, only to the person who requested it, until ${time}.`,
          verbatim: true,
        },
      ],
    },
  ];
}

/** Returns one select per choice step. Choosing an item runs the step's operation on that item. */
export function chooseBlocks(choiceSteps: readonly ChoiceStep[] = []): types.KnownBlock[] {
  return choiceSteps.flatMap((step): types.KnownBlock[] => {
    const block_id = toChooseBlockId(step);
    if (block_id === undefined) return [];
    const placeholder = plainText(`${step.label}…`, limits.placeholderChars);
    const element = { action_id: actionIds.remoteSelect, min_query_length: 0, placeholder };
    return [{ type: 'actions', block_id, elements: [{ type: 'external_select', ...element }] }];
  });
}

/** Returns a table page and, if there are several pages, its row range. */
function tableBlocks(
  { block, precedingRows, rowCount }: TablePage,
  pages: readonly TablePage[],
): types.KnownBlock[] {
  if (pages.length < 2) return [block];
  const all = pages.reduce((sum, page) => sum + page.rowCount, 0);
  const range = `${precedingRows + 1} to ${precedingRows + rowCount} of ${all}`;
  const canSort = block.type === 'data_table';
  return [block, ...noteBlocks([canSort ? `${range}. Search covers only these ${rowCount} rows.` : range])];
}

/** Starts the value of a paging button if everyone can see the outcome. */
const sharedPrefix = 'shared-';

export function parsePageValue(value: string) {
  const [shownRunId = '', page = '0'] = value.split(':');
  const isShared = shownRunId.startsWith(sharedPrefix);
  return {
    runId: isShared ? shownRunId.slice(sharedPrefix.length) : shownRunId,
    page: Number(page),
    isShared,
  };
}

function pageButtons(runId: string, page: number, pages: number, title: string): types.Button[] {
  const turn = (actionId: string, label: string, to: number) =>
    withSpokenLabel(button(actionId, label, `${runId}:${to}`), `${label}: ${title}`);
  return [
    ...(page > 0 ? [turn('page:previous', 'Previous', page - 1)] : []),
    ...(page < pages - 1 ? [turn('page:next', 'Next', page + 1)] : []),
  ];
}

function listingBlock({ heading: title, items }: Listing): types.KnownBlock {
  const lines = items.map(({ typed, text }) =>
    `\`${slashCommandName} ${escapeReferences(typed)}\`  ${escapeText(text)}`.trim(),
  );
  return mrkdwn([`*${escapeText(title)}*`, ...lines].join('\n'));
}
