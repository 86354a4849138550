import { type ReactNode, useMemo } from 'react';
import type { Names } from '../surface.ts';
import { Mrkdwn } from './mrkdwn.tsx';
import { ReaderContext } from './reading.ts';

interface MessageTextProps {
  readonly text: string;
  readonly names: Names;
  /** The viewer's IANA time zone. */
  readonly timeZone: string;
}

/** Shows the text of a message without blocks; it needs no surface. */
export function MessageText({ text, names, timeZone }: MessageTextProps): ReactNode {
  const reader = useMemo(() => ({ names, timeZone }), [names, timeZone]);
  return (
    <ReaderContext value={reader}>
      <div className="kit-text">
        <Mrkdwn text={text} />
      </div>
    </ReaderContext>
  );
}
