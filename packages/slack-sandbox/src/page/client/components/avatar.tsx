import type { ReactNode } from 'react';

const colorCount = 7;

/** The first letter of a name on a colored background. */
export function Avatar({
  name,
  isApp = false,
}: {
  readonly name: string;
  readonly isApp?: boolean;
}): ReactNode {
  const hash = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 997, 0);
  return (
    <span className={`avatar ${isApp ? 'app' : `tint-${hash % colorCount}`}`} aria-hidden="true">
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}
