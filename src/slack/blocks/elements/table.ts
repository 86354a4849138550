import type { types } from '@slack/bolt';
import type { Table, Value } from '../../../operations/define/outcome.ts';
import { countChars } from './fit-message.ts';
import { limits } from './limits.ts';
import { valueElement } from './value.ts';

/** Rows per page. People can scan this many on a phone. */
const rowsPerPage = 50;

const cellChars = 100;

type Cell = types.TableBlock['rows'][number][number];

/** Maximum characters per page. Leaves a margin, because Slack may count differently. */
const maxPageChars = limits.tableChars - 1_000;

/** A page can have at least this many characters, whatever the rest of the message needs. */
const minPageChars = 5_000;

export interface TablePage {
  readonly block: types.TableBlock;
  /** How many rows of the table come before this page. */
  readonly precedingRows: number;
  readonly rowCount: number;
}

/**
 * Splits a table into pages within Slack's limits. Each page has the header row. A table without
 * rows has no pages. `availableChars` is what the rest of the message leaves for the table.
 */
export function paginateTable(
  { columns, rows }: Table,
  availableChars: number,
  pageRows = rowsPerPage,
): readonly TablePage[] {
  const pageChars = Math.min(maxPageChars, Math.max(minPageChars, availableChars));
  const head = columns.slice(0, limits.tableColumns).map(toCell);
  const pages: Cell[][][] = [];
  let size = 0;
  for (const row of rows.map((values) => head.map((_, index) => toCell(values[index] ?? '')))) {
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
  let precedingRows = 0;
  return pages.map((page) => {
    const tablePage: TablePage = {
      block: { type: 'table', rows: [head, ...page] },
      precedingRows,
      rowCount: page.length,
    };
    precedingRows += page.length;
    return tablePage;
  });
}

/**
 * Converts a value to a cell. Rich text shows times in the reader's time zone, and people and
 * channels by name.
 */
function toCell(value: Value): Cell {
  const element = valueElement(value, cellChars);
  if (element.type === 'text') return { type: 'raw_text', text: element.text };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [element] }] };
}

/**
 * Converts a table for a modal, where Slack allows no tables. Each row becomes a line that starts
 * with its first cell in bold.
 */
export function tableAsList({ rows }: types.TableBlock): types.RichTextBlock[] {
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
