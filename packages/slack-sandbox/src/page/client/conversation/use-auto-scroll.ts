import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MessageData } from '../state/control-api.ts';

/** How many pixels from the end still count as being at the end. */
const atEndTolerancePx = 60;

interface AutoScroll {
  readonly isAtEnd: boolean;
  onScroll(): void;
  scrollToEnd(): void;
  /** Keeps the scroll position when older messages are inserted above it. */
  preservePosition(): void;
}

/** Scrolls to new messages while the person is at the end, and always to what they send. */
export function useAutoScroll(
  log: RefObject<HTMLElement | null>,
  messages: readonly MessageData[],
  userId: string,
): AutoScroll {
  const [isAtEnd, setAtEnd] = useState(true);
  const followsEnd = useRef(true);
  const newestTs = useRef<string>(undefined);
  const kept = useRef<{ readonly ts: string; readonly top: number }>(undefined);

  useLayoutEffect(() => {
    const { current: node } = log;
    if (!node || messages.length === 0) return;
    const newest = messages.at(-1);
    const isOwn = newest?.ephemeral === true || (newest?.user === userId && newest.bot_id === undefined);
    if (isOwn && newestTs.current !== undefined && newest.ts !== newestTs.current) followsEnd.current = true;
    newestTs.current = newest?.ts;
    const row = kept.current && findRow(node, kept.current.ts);
    if (row && kept.current) node.scrollTop += row.getBoundingClientRect().top - kept.current.top;
    else if (followsEnd.current) node.scrollTop = node.scrollHeight;
    kept.current = undefined;
  }, [log, messages, userId]);

  useEffect(() => {
    const { current: node } = log;
    const content = node?.querySelector('ol');
    if (!node || !content) return;
    // The end moves when images load or the window is resized.
    const observer = new ResizeObserver(() => {
      if (followsEnd.current) node.scrollTop = node.scrollHeight;
    });
    observer.observe(content);
    observer.observe(node);
    return () => observer.disconnect();
  }, [log]);

  return {
    isAtEnd,
    onScroll() {
      const { current: node } = log;
      if (!node) return;
      followsEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < atEndTolerancePx;
      setAtEnd(followsEnd.current);
    },
    scrollToEnd() {
      followsEnd.current = true;
      log.current?.scrollTo({ top: log.current.scrollHeight });
    },
    preservePosition() {
      // The first message isn't used, because it can shrink: a message inserted above it can make
      // its author's name redundant.
      const [first, second = first] = log.current?.querySelectorAll<HTMLElement>('.message') ?? [];
      if (second) kept.current = { ts: second.dataset.ts ?? '', top: second.getBoundingClientRect().top };
    },
  };
}

function findRow(log: HTMLElement, ts: string): Element | null {
  return log.querySelector(`.message[data-ts="${ts}"]`);
}
