import type { ReactNode } from 'react';

/** Line drawings on a 20 × 20 grid. */
const iconPaths = {
  away: 'M8 5H4.5v10.5H15V12M11 4h5v5M16 4l-7 7',
  default: 'M3 4h14v10H9l-4 3.5V14H3Z',
  down: 'M7 4v8M7 12l3.5 5c1.2 0 1.8-.8 1.8-2v-3h3.2c1.2 0 1.7-.8 1.5-1.8l-1-5c-.2-.8-.7-1.2-1.5-1.2H7H4v8h3',
  error: 'M7 2.5h6L17.5 7v6L13 17.5H7L2.5 13V7ZM7.5 7.5l5 5M12.5 7.5l-5 5',
  file: 'M5 2.5h6.5L16 7v10.5H5ZM11.5 2.5V7H16',
  info: 'M18 10a8 8 0 1 1-16 0 8 8 0 0 1 16 0ZM10 9v5M10 6v.2',
  list: 'M8 5h9M8 10h9M8 15h9M3.5 5h.1M3.5 10h.1M3.5 15h.1',
  numbers: 'M8 5h9M8 10h9M8 15h9M3 3.5l1.2-.7V7M2.8 13.6c.3-1.2 2.2-1 2 .2-.1.8-1.9 1.6-2 2.7h2.1',
  quote: 'M4 4v12M8 6h9M8 10h9M8 14h6',
  success: 'M18 10a8 8 0 1 1-16 0 8 8 0 0 1 16 0ZM6.5 10.5l2.5 2.5 4.5-5.5',
  trash: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11.5h7.6l.7-11.5',
  up: 'M7 16V8M7 8l3.5-5c1.2 0 1.8.8 1.8 2v3h3.2c1.2 0 1.7.8 1.5 1.8l-1 5c-.2.8-.7 1.2-1.5 1.2H7H4V8h3',
  warning: 'M10 3 2 17h16ZM10 8.5v4M10 14.5v.2',
} as const;

interface KitIconProps {
  readonly name: keyof typeof iconPaths;
  /** Accessible name for an icon that has no text beside it. */
  readonly label?: string;
}

/** A small icon beside text. */
export function KitIcon({ name, label }: KitIconProps): ReactNode {
  const path = <path d={iconPaths[name]} />;
  if (label === undefined) {
    return (
      <svg className={`kit-sign kit-sign-${name}`} viewBox="0 0 20 20" aria-hidden="true">
        {path}
      </svg>
    );
  }
  return (
    <svg className={`kit-sign kit-sign-${name}`} viewBox="0 0 20 20" role="img" aria-label={label}>
      {path}
    </svg>
  );
}
