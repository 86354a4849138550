import { parseInteger } from '../../hosting/payloads/quantity.ts';

/** How the service can say where a list continues. */
export const pageStyles = ['numbers', 'cursor', 'link'] as const;

type PageStyle = (typeof pageStyles)[number];

/** How the service splits its lists. */
export interface Paging {
  /** Number of entries per page. 0 turns paging off. */
  readonly size: number;
  readonly style: PageStyle;
}

/** Splits the list that a call requests. */
export interface Pager {
  page<Row>(rows: readonly Row[]): readonly Row[];
  /** Returns the response's hints about further pages, both beside `data` and in its headers. */
  describe(): { readonly beside?: object; readonly headers?: Record<string, string> };
}

type Query = Readonly<Record<string, string>>;

export function createPager({ size, style }: Paging, path: string, query: Query): Pager {
  const offset = readOffset(style, size, query);
  let total: number | undefined;
  return {
    page(rows) {
      if (size === 0) return rows;
      total = rows.length;
      return rows.slice(offset, offset + size);
    },
    describe: () => (total === undefined ? {} : describePage({ style, path, offset, size, total })),
  };
}

function readOffset(style: PageStyle, size: number, query: Query): number {
  if (style === 'cursor') return parseInteger(Buffer.from(query.cursor ?? '', 'base64url').toString()) ?? 0;
  return ((parseInteger(query.page, 1) ?? 1) - 1) * size;
}

interface PageFacts {
  readonly style: PageStyle;
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  readonly total: number;
}

function describePage({ style, path, offset, size, total }: PageFacts): ReturnType<Pager['describe']> {
  const next = offset + size < total ? offset + size : undefined;
  const page = offset / size + 1;
  switch (style) {
    case 'numbers':
      return { beside: { meta: { page, per_page: size, pages: Math.ceil(total / size), total } } };
    case 'cursor': {
      const next_cursor = next === undefined ? null : Buffer.from(String(next)).toString('base64url');
      return { beside: { meta: { next_cursor } } };
    }
    case 'link': {
      const link = next === undefined ? {} : { link: `<${path}?page=${page + 1}>; rel="next"` };
      return { headers: { 'x-total-count': String(total), ...link } };
    }
  }
}
