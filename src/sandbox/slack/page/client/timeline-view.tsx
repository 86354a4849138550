import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Icon } from './icon.tsx';
import { MessageRow } from './message.tsx';
import { useNewMessages } from './new-messages.ts';
import { useScrolling } from './scrolling.ts';
import { useSession } from './session.ts';
import { useStore } from './store.ts';
import { mostAtEnd, type TimelineSource } from './timeline.ts';
import type { MessageFacts } from './wire.ts';
import { count } from './words.ts';

/** Messages of one author within this time stand together. */
const groupedWithinSeconds = 300;

interface Props {
  readonly label: string;
  readonly channel: string;
  readonly source: TimelineSource;
  readonly isThread?: boolean;
}

/** Messages, oldest first, from the newest back as far as somebody looks. */
export function TimelineView({ label, channel, source, isThread = false }: Props): ReactNode {
  const { moments, message: pointedAt, workspace, tell } = useSession();
  const { messages: all, hasEarlier, isLoaded, failure } = useStore(source.state);
  const messages = useMemo(
    () => (isThread ? all : all.filter((message) => !isReply(message))),
    [all, isThread],
  );
  const [focused, setFocused] = useState<string>();
  // Set while the focus is within a message, and so still set when that message goes away under it.
  const within = useRef<string>(undefined);
  const log = useRef<HTMLDivElement>(null);
  const { isAtEnd, onScroll, toEnd, keepPlace } = useScrolling(log, messages);
  const { news, words } = useNewMessages(messages, isLoaded, isAtEnd);
  const isPointedAtShown = messages.some(({ ts }) => ts === pointedAt);

  useEffect(() => {
    if (isPointedAtShown)
      log.current?.querySelector(`[data-ts="${pointedAt}"]`)?.scrollIntoView({ block: 'center' });
  }, [isPointedAtShown, pointedAt]);

  useEffect(() => {
    if (isLoaded && pointedAt) void tell(source.reach(pointedAt).then(() => ({})));
  }, [isLoaded, pointedAt, source, tell]);

  const isLong = all.length > mostAtEnd;
  useEffect(() => {
    if (isAtEnd && isLong && !pointedAt) source.trim();
  }, [isAtEnd, isLong, pointedAt, source]);

  useLayoutEffect(() => {
    if (within.current === undefined || messages.some(({ ts }) => ts === within.current)) return;
    within.current = undefined;
    // What was pressed is gone with its message: the keyboard goes on at the newest one.
    if (document.activeElement === document.body) {
      [...(log.current?.querySelectorAll<HTMLElement>('.message') ?? [])].at(-1)?.focus();
    }
  }, [messages]);

  function showEarlier() {
    keepPlace();
    void tell(source.earlier().then(() => ({})));
  }

  const nowMs = Date.now();
  const lastTs = messages.at(-1)?.ts;
  const tabStop = messages.some(({ ts }) => ts === focused) ? focused : lastTs;
  return (
    <div className="timeline-frame">
      <div
        ref={log}
        className="timeline"
        role="log"
        aria-label={label}
        aria-live="off"
        aria-busy={!isLoaded}
        onScroll={onScroll}
        onKeyDown={moveAmongMessages}
        onFocus={({ target }) => {
          within.current = target.closest<HTMLElement>('.message')?.dataset.ts;
          setFocused(within.current);
        }}
        onBlur={({ relatedTarget }) => {
          // A message that is removed takes the focus with it, and nothing else gets it.
          if (relatedTarget) within.current = undefined;
        }}
      >
        {hasEarlier && (
          <button type="button" className="earlier" onClick={showEarlier}>
            Show earlier messages
          </button>
        )}
        <ol>
          {messages.map((message, index) => {
            const before = messages[index - 1];
            const day = moments.day(message.ts, nowMs);
            const isNewDay = !before || moments.day(before.ts, nowMs) !== day;
            return (
              <Fragment key={message.ts}>
                {isNewDay && !isThread && (
                  <li className="day">
                    <span>{day}</span>
                  </li>
                )}
                <MessageRow
                  message={message}
                  channel={channel}
                  isGrouped={!isNewDay && isContinued(before, message)}
                  isPointedAt={message.ts === pointedAt}
                  isInThread={isThread}
                  isTabStop={message.ts === tabStop}
                />
                {isThread && index === 0 && messages.length > 1 && (
                  <li className="day">
                    <span>{count(messages.length - 1, 'reply', 'replies')}</span>
                  </li>
                )}
              </Fragment>
            );
          })}
        </ol>
        {isLoaded && messages.length === 0 && (
          <p className="empty">
            {failure ?? `Nothing here yet. Type / to see what ${workspace.app.name} can do.`}
          </p>
        )}
      </div>
      {!isAtEnd && (
        <button type="button" className="to-newest" onClick={toEnd}>
          <Icon name="down" /> {news > 0 ? count(news, 'new message', 'new messages') : 'Jump to newest'}
        </button>
      )}
      <p className="visually-hidden" role="status">
        {words}
      </p>
    </div>
  );
}

function isReply({ ts, thread_ts: parent, subtype }: MessageFacts): boolean {
  return parent !== undefined && parent !== ts && subtype !== 'thread_broadcast';
}

function isContinued(before: MessageFacts | undefined, message: MessageFacts): boolean {
  return (
    before !== undefined &&
    before.user === message.user &&
    before.subtype === message.subtype &&
    !before.ephemeral &&
    !message.ephemeral &&
    Number(message.ts) - Number(before.ts) < groupedWithinSeconds
  );
}

/** Arrow keys go from message to message where they mean nothing else. */
function moveAmongMessages(event: KeyboardEvent<HTMLElement>) {
  const { target, key, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !target.matches('.message')) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('.message')];
  const index = rows.indexOf(target);
  const next = { ArrowDown: index + 1, ArrowUp: Math.max(0, index - 1), Home: 0, End: -1 }[key];
  if (next !== undefined) rows.at(next)?.focus();
  else if (key === 't') target.querySelector<HTMLElement>('[aria-label="Reply in thread"]')?.click();
  else if (key === 'm') target.querySelector<HTMLElement>('[aria-label="Message actions"]')?.click();
  else return;
  event.preventDefault();
}
