import { type ReactNode, useMemo } from 'react';
import type { DisplayNames } from '../surface.ts';
import { Mrkdwn } from './mrkdwn.tsx';
import { ViewerContext } from './viewer-context.ts';

interface MessageTextProps {
  readonly text: string;
  readonly names: DisplayNames;
  /** The viewer's IANA time zone. */
  readonly timeZone: string;
}

/** Shows the text of a message without blocks. Doesn't need a surface. */
export function MessageText({ text, names, timeZone }: MessageTextProps): ReactNode {
  const reader = useMemo(() => ({ names, timeZone }), [names, timeZone]);
  return (
    <ViewerContext value={reader}>
      <div className="kit-text">
        <Mrkdwn text={text} />
      </div>
    </ViewerContext>
  );
}
