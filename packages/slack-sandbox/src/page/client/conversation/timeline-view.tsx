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
import { Icon } from '../components/icon.tsx';
import { useComposer } from '../composer/composer-context.ts';
import type { MessageData } from '../state/control-api.ts';
import { pluralize } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { useStore } from '../state/store.ts';
import { MessageRow } from './message-row.tsx';
import { maxMessagesAtEnd, type TimelineStore } from './timeline-store.ts';
import { useAutoScroll } from './use-auto-scroll.ts';
import { useNewMessages } from './use-new-messages.ts';

/** An author's messages within this time of each other are grouped. */
const groupingSeconds = 300;

interface Props {
  readonly label: string;
  readonly channel: string;
  readonly store: TimelineStore;
  readonly isThread?: boolean;
}

/** The loaded messages, oldest first. Older ones are loaded on demand. */
export function TimelineView({ label, channel, store, isThread = false }: Props): ReactNode {
  const { timestamps, message: pointedAt, workspace, me, runAndNotify } = useSession();
  const { openGuide } = useComposer();
  const { messages: all, hasEarlier, isLoaded, failure } = useStore(store.state);
  const messages = useMemo(
    () => (isThread ? all : all.filter((message) => !isReply(message))),
    [all, isThread],
  );
  const [focused, setFocused] = useState<string>();
  // Set while the focus is in a message. Stays set if that message is removed.
  const within = useRef<string>(undefined);
  const log = useRef<HTMLDivElement>(null);
  const { isAtEnd, onScroll, scrollToEnd, preservePosition } = useAutoScroll(log, messages, me.id);
  const { news, words } = useNewMessages(messages, isLoaded, isAtEnd);
  const isPointedAtShown = messages.some(({ ts }) => ts === pointedAt);

  useEffect(() => {
    if (isPointedAtShown)
      log.current?.querySelector(`[data-ts="${pointedAt}"]`)?.scrollIntoView({ block: 'center' });
  }, [isPointedAtShown, pointedAt]);

  useEffect(() => {
    if (isLoaded && pointedAt) void runAndNotify(store.loadBackTo(pointedAt).then(() => ({})));
  }, [isLoaded, pointedAt, store, runAndNotify]);

  const isLong = all.length > maxMessagesAtEnd;
  useEffect(() => {
    if (isAtEnd && isLong && !pointedAt) store.trim();
  }, [isAtEnd, isLong, pointedAt, store]);

  useLayoutEffect(() => {
    if (within.current === undefined || messages.some(({ ts }) => ts === within.current)) return;
    within.current = undefined;
    // If the focused message was removed, the newest one gets the focus.
    if (document.activeElement === document.body) {
      [...(log.current?.querySelectorAll<HTMLElement>('.message') ?? [])].at(-1)?.focus();
    }
  }, [messages]);

  function showEarlier() {
    preservePosition();
    void runAndNotify(store.loadEarlier().then(() => ({})));
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
        onKeyDown={moveFocusBetweenMessages}
        onFocus={({ target }) => {
          within.current = target.closest<HTMLElement>('.message')?.dataset.ts;
          setFocused(within.current);
        }}
        onBlur={({ relatedTarget }) => {
          // A removed message loses the focus to no other element.
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
            const day = timestamps.day(message.ts, nowMs);
            const isNewDay = !before || timestamps.day(before.ts, nowMs) !== day;
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
                  isGrouped={!isNewDay && isGroupedWith(before, message)}
                  isLinkTarget={message.ts === pointedAt}
                  isInThread={isThread}
                  isTabStop={message.ts === tabStop}
                />
                {isThread && index === 0 && messages.length > 1 && (
                  <li className="day">
                    <span>{pluralize(messages.length - 1, 'reply', 'replies')}</span>
                  </li>
                )}
              </Fragment>
            );
          })}
        </ol>
        {isLoaded && messages.length === 0 && (
          <p className="empty">
            {failure ?? `Nothing here yet. Type / to see what ${workspace.app.name} can do.`}{' '}
            {openGuide && (
              <button type="button" onClick={openGuide}>
                Open the Guide
              </button>
            )}
          </p>
        )}
      </div>
      {!isAtEnd && (
        <button type="button" className="to-newest" onClick={scrollToEnd}>
          <Icon name="down" /> {news > 0 ? pluralize(news, 'new message', 'new messages') : 'Jump to newest'}
        </button>
      )}
      <p className="visually-hidden" role="status">
        {words}
      </p>
    </div>
  );
}

function isReply({ ts, thread_ts: parent, subtype }: MessageData): boolean {
  return parent !== undefined && parent !== ts && subtype !== 'thread_broadcast';
}

function isGroupedWith(before: MessageData | undefined, message: MessageData): boolean {
  return (
    before !== undefined &&
    before.user === message.user &&
    before.username === message.username &&
    before.subtype === message.subtype &&
    !before.ephemeral &&
    !message.ephemeral &&
    Number(message.ts) - Number(before.ts) < groupingSeconds
  );
}

/** Moves between messages with the arrow keys, unless the keys have another use. */
function moveFocusBetweenMessages(event: KeyboardEvent<HTMLElement>) {
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
