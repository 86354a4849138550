import type { types } from '@slack/bolt';
import type { Table, Value } from '../../operations/outcome.ts';
import { charsOf } from './fit.ts';
import { limits } from './limits.ts';
import { valueElement } from './value.ts';

/** Rows on one page: what can be looked through on a phone. */
const rowsPerPage = 50;

const cellChars = 100;

type Cell = types.TableBlock['rows'][number][number];

/** Most that a page has: Slack may count otherwise. */
const mostPageChars = limits.tableChars - 1_000;

/** What a table can be sure of, however much there is around it. */
const fewestPageChars = 5_000;

export interface TablePage {
  readonly block: types.TableBlock;
  /** Rows of the whole table that are before this page, and on it. */
  readonly before: number;
  readonly rows: number;
}

/**
 * Cuts a table into pages that Slack takes, each with the heads of its columns. A table without rows has no page. `charsLeft` is what the message
 * has room for beside everything else in it, and `pageRows` what is looked through at once.
 */
export function pagesOf(
  { columns, rows }: Table,
  charsLeft: number,
  pageRows = rowsPerPage,
): readonly TablePage[] {
  const pageChars = Math.min(mostPageChars, Math.max(fewestPageChars, charsLeft));
  const head = columns.slice(0, limits.tableColumns).map(cellOf);
  const pages: Cell[][][] = [];
  let size = 0;
  for (const row of rows.map((values) => head.map((_, index) => cellOf(values[index] ?? '')))) {
    const rowSize = charsOf(row);
    const page = pages.at(-1);
    if (page && page.length < pageRows && size + rowSize <= pageChars) {
      page.push(row);
      size += rowSize;
    } else {
      pages.push([row]);
      size = charsOf(head) + rowSize;
    }
  }
  let before = 0;
  return pages.map((page) => {
    const shown: TablePage = { block: { type: 'table', rows: [head, ...page] }, before, rows: page.length };
    before += page.length;
    return shown;
  });
}

/** Rich text shows a time in the reader's zone, and people and channels by their names. */
function cellOf(value: Value): Cell {
  const element = valueElement(value, cellChars);
  if (element.type === 'text') return { type: 'raw_text', text: element.text };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [element] }] };
}

/** Writes a table where none may stand: a line for each row, its first cell in bold. */
export function tableAsList({ rows }: types.TableBlock): types.RichTextBlock[] {
  const lines = rows.slice(1).map((row): types.RichTextSection => {
    const [first = [], ...rest] = row.map(elementsOf);
    const others = rest.flatMap((elements, index) => [text(index === 0 ? '  ' : ' · '), ...elements]);
    return { type: 'rich_text_section', elements: [...first.map(inBold), ...others] };
  });
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: lines }] }];
}

function elementsOf(cell: Cell): types.RichTextElement[] {
  if (cell.type !== 'rich_text') return [text('text' in cell ? String(cell.text) : '–')];
  return cell.elements.flatMap((inner) => (inner.type === 'rich_text_section' ? inner.elements : []));
}

function text(words: string): types.RichTextText {
  return { type: 'text', text: words };
}

function inBold(element: types.RichTextElement): types.RichTextElement {
  return element.type === 'text' ? { ...element, style: { bold: true } } : element;
}
