import type { ReactNode } from 'react';

interface Props {
  /** Empty if nothing has failed. */
  readonly text: string;
}

/** Shows why a request failed. */
export function ErrorAlert({ text }: Props): ReactNode {
  return (
    text && (
      <p className="fault-failure" role="alert">
        {text}
      </p>
    )
  );
}
