import type { ReactNode } from 'react';

/** Line drawings on a 20 × 20 grid. */
const iconPaths = {
  at: 'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0Zm0 0v1a2.2 2.2 0 0 0 4.4 0v-1A7.4 7.4 0 1 0 14 16.2',
  attach:
    'm15.5 9-5.8 5.8a3.6 3.6 0 0 1-5-5l6.2-6.3a2.4 2.4 0 0 1 3.4 3.4l-6 6a1.2 1.2 0 0 1-1.8-1.7l5.5-5.4',
  bolt: 'M11 2 4.5 11.5H9L8.5 18 15.5 8H10.5Z',
  book: 'M10 5C8.2 3.7 5.5 3.5 3 4v11.5c2.5-.5 5.2-.3 7 1 1.8-1.3 4.5-1.5 7-1V4c-2.5-.5-5.2-.3-7 1Zm0 0v11.5',
  check: 'm4 10.5 4 4 8-9',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h9v9H7ZM4 13V4h9',
  down: 'M10 4v12m-5-5 5 5 5-5',
  file: 'M5 2.5h6.5L16 7v10.5H5ZM11.5 2.5V7H16',
  help: 'M7.3 7.5a2.7 2.7 0 1 1 4 2.3c-.9.5-1.3 1-1.3 2m0 3v.2M18 10a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z',
  home: 'm3 9.5 7-6 7 6V17h-4.5v-5h-5v5H3Z',
  inspect: 'M3 6h4l2.5 9L13 5l2 5h2.5',
  link: 'M8.5 11.5a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.2 3.2 0 0 0-4.6-4.6l-1 1M11.5 8.5a3.2 3.2 0 0 0-4.6 0l-2.6 2.6a3.2 3.2 0 0 0 4.6 4.6l1-1',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  message: 'M3 4h14v10H9l-4 3.5V14H3Z',
  moon: 'M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z',
  more: 'M4.5 10h.1M10 10h.1M15.5 10h.1',
  search: 'm17 17-4-4M14.5 8.8a5.7 5.7 0 1 1-11.4 0 5.7 5.7 0 0 1 11.4 0Z',
  send: 'M3 3.5 17.5 10 3 16.5 5 10Zm2 6.5h6',
  slash: 'M12.5 3.5 7.5 16.5',
  sun: 'M13.5 10a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
  trash: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11.5h7.6l.7-11.5',
  trouble: 'M10 3 2 17h16ZM10 8.5v4m0 2v.2',
} as const;

export type IconName = keyof typeof iconPaths;

/** A small icon beside text, or in a button that has a name of its own. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}
