import type { DataTableBlock, TableBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { inOrder } from '../in-order.ts';
import { EmojiText } from '../markup/atoms.tsx';
import { RichTextView } from './rich-text.tsx';

export type Cell = TableBlock['rows'][number][number] | DataTableBlock['rows'][number][number];

/** A plain table; its first row is its header. It scrolls sideways where it is too wide. */
export function TableView({ block }: { readonly block: TableBlock }): ReactNode {
  const { rows, column_settings: settings = [] } = block;
  const [headings = [], ...others] = rows;
  const classOf = (column: number) => {
    const { align = 'left', is_wrapped: isWrapped = false } = settings[column] ?? {};
    return `kit-${align} ${isWrapped ? 'kit-wrapped' : 'kit-unwrapped'}`;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="kit-table" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {inOrder(headings, (cell, column) => (
              <th scope="col" className={classOf(column)}>
                <CellView cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inOrder(others, (cells) => (
            <tr>
              {inOrder(cells, (cell, column) => (
                <td className={classOf(column)}>
                  <CellView cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What stands in a cell. */
export function CellView({ cell }: { readonly cell: Cell }): ReactNode {
  return cell.type === 'rich_text' ? <RichTextView block={cell} /> : <EmojiText text={cell.text} />;
}
