import { z } from 'zod';
import { once } from '../../once.ts';
import { limits } from '../limits.ts';
import { richText } from '../rich-text.ts';
import { id } from '../text-objects.ts';

const rawText = once(() => z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }));
const rawNumber = once(() =>
  z.strictObject({
    type: z.literal('raw_number'),
    value: z.number(),
    text: z.string().min(1),
  }),
);

/** Rich text in a table cell. A cell must not be empty. */
const richCell = once(() =>
  richText().refine(({ elements }) => elements.some((element) => element.elements.length > 0), {
    path: ['elements'],
    message: 'must provide at least 1 items',
  }),
);

const cell = once(() => z.discriminatedUnion('type', [rawText(), rawNumber(), richCell()]));

const columnSettings = once(() =>
  z.strictObject({
    align: z.enum(['left', 'center', 'right']).optional(),
    is_wrapped: z.boolean().optional(),
  }),
);

/** A plain table. A `null` in `column_settings` skips a column. */
export const table = once(() =>
  z.strictObject({
    type: z.literal('table'),
    block_id: id().optional(),
    rows: z.array(z.array(cell()).min(1).max(limits.table.columns)).min(1).max(limits.table.rows),
    column_settings: z.array(columnSettings().nullable()).max(limits.table.columns).optional(),
  }),
);

/**
 * A table with pages and sorting. The first row is the header. All rows must have the same number
 * of cells.
 */
export const dataTable = once(() =>
  z
    .strictObject({
      type: z.literal('data_table'),
      block_id: id().optional(),
      caption: z.string().min(1),
      rows: z.array(z.array(cell()).min(1).max(limits.dataTable.columns)).min(2).max(limits.dataTable.rows),
      page_size: z.int().min(1).max(limits.dataTable.pageRows).optional(),
      row_header_column_index: z.int().min(0).optional(),
    })
    .superRefine(({ rows: [headings = [], ...rows], row_header_column_index: header }, context) => {
      const refuse = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message });

      for (const [column, heading] of headings.entries()) {
        if (heading.type === 'rich_text') refuse(['rows', 0, column, 'type'], 'unsupported type: rich_text');
      }
      for (const [index, row] of rows.entries()) {
        if (row.length !== headings.length)
          refuse(['rows', index + 1], 'must have as many cells as the first row');
      }
      if (header !== undefined && header >= headings.length)
        refuse(['row_header_column_index'], 'must be a column of the table');
    }),
);
