import type { DataTableBlock, TableBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { EmojiText } from '../../markup/inline-elements.tsx';
import { renderByIndex } from '../../render-by-index.ts';
import { RichTextView } from '../rich-text.tsx';

export type Cell = TableBlock['rows'][number][number] | DataTableBlock['rows'][number][number];

/** A plain table with a header row. Wide tables scroll horizontally. */
export function TableView({ block }: { readonly block: TableBlock }): ReactNode {
  const { rows, column_settings: settings = [] } = block;
  const [headings = [], ...others] = rows;
  const classOf = (column: number) => {
    const { align = 'left', is_wrapped: isWrapped = false } = settings[column] ?? {};
    return `kit-${align} ${isWrapped ? 'kit-wrapped' : 'kit-unwrapped'}`;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access
    <div role="group" className="kit-table" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {renderByIndex(headings, (cell, column) => (
              <th scope="col" className={classOf(column)}>
                <CellView cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {renderByIndex(others, (cells) => (
            <tr>
              {renderByIndex(cells, (cell, column) => (
                <td className={classOf(column)}>
                  <CellView cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The content of a cell. */
export function CellView({ cell }: { readonly cell: Cell }): ReactNode {
  return cell.type === 'rich_text' ? <RichTextView block={cell} /> : <EmojiText text={cell.text} />;
}
