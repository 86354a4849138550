import { createContext, useContext } from 'react';
import { type Names, SurfaceContext } from '../surface.ts';

/** What a text needs to be read by somebody: what ids are called, and the reader's time zone. */
export interface Reader {
  readonly names: Names;
  readonly timeZone: string;
}

/** For text that stands on no surface. */
export const ReaderContext = createContext<Reader | undefined>(undefined);

/** Finds who reads: the surface's viewer, or the one of the `ReaderContext`. */
export function useReader(): Reader {
  const surface = useContext(SurfaceContext);
  const reader = useContext(ReaderContext) ?? surface;
  if (!reader) throw new Error('A text has no reader');
  return reader;
}
