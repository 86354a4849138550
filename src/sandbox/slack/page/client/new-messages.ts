import { useEffect, useRef, useState } from 'react';
import { useSession } from './session.ts';
import type { MessageFacts } from './wire.ts';

const mostCharacters = 300;

/** Tells how many messages came that the person has not scrolled to, and says the newest ones in words. */
export function useNewMessages(
  messages: readonly MessageFacts[],
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
        .slice(0, mostCharacters),
    );
  }, [messages, isLoaded, isAtEnd, me, names]);

  useEffect(() => {
    if (isAtEnd) setNews(0);
  }, [isAtEnd]);

  return { news, words };
}
