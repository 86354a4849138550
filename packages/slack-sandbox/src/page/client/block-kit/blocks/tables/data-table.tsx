import type { DataTableBlock } from '@slack/types';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { renderByIndex } from '../../render-by-index.ts';
import { arrangeRows, cellText, type SortOrder } from './arrange-rows.ts';
import { type Cell, CellView } from './table.tsx';

/** Slack's default for `page_size`: docs.slack.dev/reference/block-kit/blocks/data-table-block. */
const defaultPageSize = 5;

/** A table with pages, search and sortable columns. */
export function DataTableView({ block }: { readonly block: DataTableBlock }): ReactNode {
  const { caption, page_size: pageSize = defaultPageSize, row_header_column_index: headerColumn = 0 } = block;
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useState<SortOrder>();
  const [wanted, setWanted] = useState(0);
  const captionId = useId();
  const [headings = [], ...others] = block.rows;
  const rows = useMemo(
    () =>
      arrangeRows(
        block.rows.slice(1).map((cells, index) => ({ index, cells })),
        typed,
        order,
      ),
    [block.rows, typed, order],
  );
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(wanted, pages - 1);
  const shown = rows.slice(page * pageSize, (page + 1) * pageSize);

  function sortBy(column: number) {
    const isSame = order?.column === column;
    setOrder(isSame && order.isDescending ? undefined : { column, isDescending: isSame });
    setWanted(0);
  }

  return (
    <div className="kit-data-table">
      <div className="kit-data-head">
        <div id={captionId} className="kit-title">
          {caption}
        </div>
        {others.length > 1 && (
          <input
            type="search"
            className="kit-field"
            aria-label={`Search ${caption}`}
            placeholder="Search"
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              setWanted(0);
            }}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access */}
      <div role="group" className="kit-table" aria-labelledby={captionId} tabIndex={0}>
        <table aria-labelledby={captionId} aria-rowcount={others.length + 1}>
          <thead>
            <tr>
              {renderByIndex(headings, (cell, column) => (
                <Heading
                  cell={cell}
                  isNumber={isNumeric(others, column)}
                  order={order?.column === column ? order : undefined}
                  onSort={() => sortBy(column)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {renderByIndex(shown, ({ cells }) => (
              <tr>
                {renderByIndex(cells, (cell, column) => {
                  const align = cell.type === 'raw_number' ? 'kit-right' : undefined;
                  const content = <CellView cell={cell} />;
                  if (column !== headerColumn) return <td className={align}>{content}</td>;
                  return (
                    <th scope="row" className={align}>
                      {content}
                    </th>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="kit-data-foot">
        <output>{rangeText(rows.length, others.length, page * pageSize, shown.length)}</output>
        {pages > 1 && (
          <span className="kit-pair">
            <PageButton
              label="Previous page"
              sign="‹"
              isOff={page === 0}
              onPress={() => setWanted(page - 1)}
            />
            <PageButton
              label="Next page"
              sign="›"
              isOff={page === pages - 1}
              onPress={() => setWanted(page + 1)}
            />
          </span>
        )}
      </div>
    </div>
  );
}

interface HeadingProps {
  readonly cell: Cell;
  readonly isNumber: boolean;
  readonly order: SortOrder | undefined;
  onSort(): void;
}

function Heading({ cell, isNumber, order, onSort }: HeadingProps): ReactNode {
  const direction = order && (order.isDescending ? 'descending' : 'ascending');
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={isNumber ? 'kit-right' : undefined}>
      <button type="button" className="kit-sort" onClick={onSort} title={`Sort by ${cellText(cell)}`}>
        <CellView cell={cell} />
        <span aria-hidden="true" className={`kit-sort-sign kit-sort-${direction ?? 'none'}`} />
      </button>
    </th>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly isOff: boolean;
  onPress(): void;
}

function PageButton({ label, sign, isOff, onPress }: PageButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="kit-button kit-page"
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => !isOff && onPress()}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  return rows.length > 0 && rows.every((cells) => cells[column]?.type === 'raw_number');
}

function rangeText(found: number, all: number, first: number, count: number): string {
  if (found === 0) return all === 0 ? 'No rows' : 'No matching rows';
  const total = found === all ? `${all}` : `${found} of ${all} found`;
  return `${first + 1}–${first + count} of ${total}`;
}
