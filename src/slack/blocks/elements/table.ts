import type { types } from '@slack/bolt';
import type { Table, Value } from '../../../operations/define/outcome.ts';
import { countChars } from './fit-message.ts';
import { limits } from './limits.ts';
import { toPrintable, truncate } from './text.ts';
import { formatValue, valueElement } from './value.ts';

/** Rows per page: as many as people can scan on a phone. */
const rowsPerPage = 25;

/** Slack counts the header as a row. */
const maxDataRows = limits.tableRows - 1;

/** How many rows a table can have before sorting, search and paging become useful. */
const maxPlainRows = 5;

const cellChars = 100;

/** Slack documents no limit for a caption. */
const captionChars = 150;

type Cell = types.DataTableBlock['rows'][number][number];

type AnyTable = types.TableBlock | types.DataTableBlock;

/** Maximum number of characters per page, with a margin, because Slack may count differently. */
const maxPageChars = limits.tableChars - 1_000;

/** Minimum characters per page, however long the rest of the message is. */
const minPageChars = 5_000;

export interface TablePage {
  readonly block: AnyTable;
  /** How many rows the earlier pages contain. */
  readonly precedingRows: number;
  readonly rowCount: number;
}

interface TableSpace {
  /** Names the table for screen readers. */
  readonly caption: string;
  /** How many characters the rest of the message leaves for the table. */
  readonly availableChars: number;
  /** Whether only the first page can be shown. That page then has as many rows as Slack accepts. */
  readonly isUnpaged: boolean;
}

/**
 * Splits a table into pages within Slack's limits, each with the header row. A table without rows has no
 * pages. People can sort, search and page a table that fits into one message. Otherwise, pages are plain,
 * because Slack's search would miss the other pages.
 */
export function paginateTable(
  { columns, rows }: Table,
  { caption, availableChars, isUnpaged }: TableSpace,
): readonly TablePage[] {
  const pageChars = Math.min(maxPageChars, Math.max(minPageChars, availableChars));
  const head = columns.slice(0, limits.tableColumns).map(toCell);
  const cells = rows.map((values) => head.map((_, index) => toCell(values[index] ?? '')));
  const whole = splitRows(head, cells, maxDataRows, pageChars);
  const isData = (isUnpaged || whole.length === 1) && cells.length > maxPlainRows;
  const pages = isUnpaged || whole.length === 1 ? whole : splitRows(head, cells, rowsPerPage, pageChars);
  let precedingRows = 0;
  return pages.map((page) => {
    const table = toDataTable([head, ...page], caption);
    const block = isData ? table : toPlainTable(table);
    const tablePage: TablePage = { block, precedingRows, rowCount: page.length };
    precedingRows += page.length;
    return tablePage;
  });
}

function splitRows(head: Cell[], rows: Cell[][], pageRows: number, pageChars: number): Cell[][][] {
  const pages: Cell[][][] = [];
  let size = 0;
  for (const row of rows) {
    const rowSize = countChars(row);
    const page = pages.at(-1);
    if (page && page.length < pageRows && size + rowSize <= pageChars) {
      page.push(row);
      size += rowSize;
    } else {
      pages.push([row]);
      size = countChars(head) + rowSize;
    }
  }
  return pages;
}

function toDataTable(rows: Cell[][], caption: string): types.DataTableBlock {
  return {
    type: 'data_table',
    caption: truncate(toPrintable(caption), captionChars),
    page_size: rowsPerPage,
    rows,
  };
}

/** Converts a data table to a plain table, which every workspace supports. */
export function toPlainTable({ rows }: types.DataTableBlock): types.TableBlock {
  const toPlainCell = (cell: Cell): Cell =>
    cell.type === 'raw_number' ? { type: 'raw_text', text: cell.text } : cell;
  return { type: 'table', rows: rows.map((row) => row.map(toPlainCell)) };
}

/**
 * Converts a value to a cell. Rich text shows times in the reader's time zone, and people and
 * channels by name. Slack sorts a column of numbers by value, and any other column by its text.
 */
function toCell(value: Value): Cell {
  const number = toNumber(value);
  if (number !== undefined && Number.isFinite(number))
    return { type: 'raw_number', value: number, text: formatValue(value) };
  const element = valueElement(value, cellChars);
  if (element.type === 'text') return { type: 'raw_text', text: element.text };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [element] }] };
}

/** Returns a quantity's number, or undefined for other values. */
function toNumber(value: Value): number | undefined {
  if (typeof value === 'string') return undefined;
  switch (value.kind) {
    case 'bytes':
      return value.bytes;
    case 'rate':
      return value.bytesPerSecond;
    case 'percent':
      return value.percent;
    case 'duration':
      return value.durationMs;
    default:
      return undefined;
  }
}

/**
 * Converts a table for a modal, because Slack allows no tables there. Each row becomes a line that starts
 * with its first cell in bold.
 */
export function tableAsList({ rows }: AnyTable): types.RichTextBlock[] {
  const lines = rows.slice(1).map((row): types.RichTextSection => {
    const [first = [], ...rest] = row.map(toElements);
    const otherElements = rest.flatMap((elements, index) => [text(index === 0 ? '  ' : ' · '), ...elements]);
    return { type: 'rich_text_section', elements: [...first.map(toBold), ...otherElements] };
  });
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: lines }] }];
}

function toElements(cell: Cell): types.RichTextElement[] {
  if (cell.type !== 'rich_text') return [text('text' in cell ? String(cell.text) : '–')];
  return cell.elements.flatMap((inner) => (inner.type === 'rich_text_section' ? inner.elements : []));
}

function text(content: string): types.RichTextText {
  return { type: 'text', text: content };
}

function toBold(element: types.RichTextElement): types.RichTextElement {
  return element.type === 'text' ? { ...element, style: { bold: true } } : element;
}
