import { useEffect, useRef, useState } from 'react';
import type { MessageData } from '../state/control-api.ts';
import { useSession } from '../state/session.ts';

const maxAnnouncedCharacters = 300;

/**
 * Counts the new messages to which the person hasn't scrolled, and announces the latest one to
 * screen readers.
 */
export function useNewMessages(
  messages: readonly MessageData[],
  isLoaded: boolean,
  isAtEnd: boolean,
): { readonly news: number; readonly words: string } {
  const { names, me } = useSession();
  const newest = useRef<string>(undefined);
  const [news, setNews] = useState(0);
  const [words, setWords] = useState('');

  useEffect(() => {
    if (!isLoaded) return;
    const known = newest.current;
    newest.current = messages.at(-1)?.ts ?? known ?? '0';
    if (known === undefined) return;
    const fresh = messages.filter(({ ts, user }) => Number(ts) > Number(known) && user !== me.id);
    if (fresh.length === 0) return;
    setNews((before) => (isAtEnd ? 0 : before + fresh.length));
    setWords(
      fresh
        .map(({ user, text }) => `${names.user(user)}: ${text}`)
        .join('. ')
        .slice(0, maxAnnouncedCharacters),
    );
  }, [messages, isLoaded, isAtEnd, me, names]);

  useEffect(() => {
    if (isAtEnd) setNews(0);
  }, [isAtEnd]);

  return { news, words };
}
