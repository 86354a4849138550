import type { ReactNode } from 'react';

interface Props {
  /** Empty while nothing has failed. */
  readonly words: string;
}

/** Says why something that was asked for was not done. */
export function Failure({ words }: Props): ReactNode {
  return (
    words && (
      <p className="fault-failure" role="alert">
        {words}
      </p>
    )
  );
}
