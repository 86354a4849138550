import type { LogKind } from '../runs/log-kind.ts';

/** The values of the kind filter. */
export const kindFilters = ['changes', 'reads', 'settings', 'all'] as const;

export type KindFilter = (typeof kindFilters)[number];

/** Returns the kinds of entries that a filter keeps. Without a filter, all entries are kept except permitted reads. */
export function toLogKinds(filter: KindFilter | undefined): readonly LogKind[] {
  switch (filter) {
    case undefined:
      return ['changes', 'settings', 'denied'];
    case 'all':
      return ['changes', 'settings', 'reads', 'denied'];
    case 'reads':
      return ['reads', 'denied'];
    default:
      return [filter];
  }
}
