import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MessageFacts } from './wire.ts';

/** How near the end counts as there, in pixels. */
const nearPx = 60;

interface Scrolling {
  readonly isAtEnd: boolean;
  onScroll(): void;
  toEnd(): void;
  /** Keeps what is at the top in its place when older messages come before it. */
  keepPlace(): void;
}

/** Follows the newest message for as long as the person stays with it. */
export function useScrolling(
  log: RefObject<HTMLElement | null>,
  messages: readonly MessageFacts[],
): Scrolling {
  const [isAtEnd, setAtEnd] = useState(true);
  const followsEnd = useRef(true);
  const kept = useRef<{ readonly ts: string; readonly top: number }>(undefined);

  useLayoutEffect(() => {
    const { current: node } = log;
    if (!node || messages.length === 0) return;
    const row = kept.current && rowOf(node, kept.current.ts);
    if (row && kept.current) node.scrollTop += row.getBoundingClientRect().top - kept.current.top;
    else if (followsEnd.current) node.scrollTop = node.scrollHeight;
    kept.current = undefined;
  }, [log, messages]);

  useEffect(() => {
    const { current: node } = log;
    const content = node?.querySelector('ol');
    if (!node || !content) return;
    // Pictures that arrive late, and windows that change, push the end away.
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
      followsEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < nearPx;
      setAtEnd(followsEnd.current);
    },
    toEnd() {
      followsEnd.current = true;
      log.current?.scrollTo({ top: log.current.scrollHeight });
    },
    keepPlace() {
      // The first one may lose its author's name to a message above it, and so shrink.
      const [first, second = first] = log.current?.querySelectorAll<HTMLElement>('.message') ?? [];
      if (second) kept.current = { ts: second.dataset.ts ?? '', top: second.getBoundingClientRect().top };
    },
  };
}

function rowOf(log: HTMLElement, ts: string): Element | null {
  return log.querySelector(`.message[data-ts="${ts}"]`);
}
