import { createContext, useContext } from 'react';

/** Reaches the composer of the conversation that is open, from elsewhere on the page. */
export interface ComposerPort {
  /** Puts words into the composer, in place of what stood there, and goes there; nothing is sent. */
  insert(text: string): void;
}

export const ComposerContext = createContext<ComposerPort | undefined>(undefined);

/** Gives the composer; throws outside of the page's shell. */
export function useComposer(): ComposerPort {
  const port = useContext(ComposerContext);
  if (!port) throw new Error('There is no composer here');
  return port;
}
