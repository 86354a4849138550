import { createContext, useContext } from 'react';

/** Gives other parts of the page access to the composer of the open conversation, and to the guide. */
export interface ComposerHandle {
  /** Replaces the composer's text and focuses the composer. Doesn't send anything. */
  insert(text: string): void;
  /** Opens the guide. Undefined if there is none, or if it is open. */
  readonly openGuide?: (() => void) | undefined;
}

export const ComposerContext = createContext<ComposerHandle | undefined>(undefined);

/** Returns the composer. Throws outside of the shell. */
export function useComposer(): ComposerHandle {
  const port = useContext(ComposerContext);
  if (!port) throw new Error('There is no composer here');
  return port;
}
