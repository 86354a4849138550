import type { types } from '@slack/bolt';
import type { Table } from '../../operations/outcome.ts';
import { limits } from './limits.ts';
import { clip } from './text.ts';
import { valueText } from './value.ts';

/** Rows on one page: what can be looked through on a phone. */
const rowsPerPage = 50;

const cellChars = 100;

/** Some of the characters that a table may have are left to the message around it. */
const pageChars = limits.tableChars - 1_000;

export interface TablePage {
  readonly block: types.TableBlock;
  /** Rows of the whole table that are before this page, and on it. */
  readonly before: number;
  readonly rows: number;
}

/** Cuts a table into pages that Slack takes, each with the heads of its columns. A table without rows has no page. */
export function pagesOf({ columns, rows }: Table): readonly TablePage[] {
  const head = columns.slice(0, limits.tableColumns).map((column) => clip(column, cellChars));
  const body = rows.map((row) => head.map((_, index) => cellText(row[index] ?? '')));
  const pages: string[][][] = [];
  let size = 0;
  for (const row of body) {
    const rowSize = sizeOf(row);
    const page = pages.at(-1);
    if (page && page.length < rowsPerPage && size + rowSize <= pageChars) {
      page.push(row);
      size += rowSize;
    } else {
      pages.push([row]);
      size = sizeOf(head) + rowSize;
    }
  }
  let before = 0;
  return pages.map((page) => {
    const shown = { block: tableBlock([head, ...page]), before, rows: page.length };
    before += page.length;
    return shown;
  });
}

function tableBlock(rows: readonly (readonly string[])[]): types.TableBlock {
  return { type: 'table', rows: rows.map((row) => row.map((text) => ({ type: 'raw_text', text }))) };
}

function cellText(value: Table['rows'][number][number]): string {
  return clip(valueText(value), cellChars) || '–';
}

function sizeOf(row: readonly string[]): number {
  return row.reduce((sum, text) => sum + text.length, 0);
}

/** Writes a table where none may stand: a line for each row, its first cell in bold. */
export function tableAsList({ rows }: types.TableBlock): types.RichTextBlock[] {
  const lines = rows.slice(1).map((row): types.RichTextSection => {
    const [first = '', ...rest] = row.map((cell) => ('text' in cell ? String(cell.text) : ''));
    return {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: first, style: { bold: true } },
        { type: 'text', text: rest.length > 0 ? `  ${rest.join(' · ')}` : ' ' },
      ],
    };
  });
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: lines }] }];
}
