import { createContext, useContext } from 'react';
import { type DisplayNames, SurfaceContext } from '../surface.ts';

/** Data needed to show text to a person: names by ID, and the time zone. */
export interface Viewer {
  readonly names: DisplayNames;
  readonly timeZone: string;
}

/** For text that isn't on a surface. */
export const ViewerContext = createContext<Viewer | undefined>(undefined);

/** Returns the viewer of the surface or, outside of one, of the `ViewerContext`. */
export function useViewer(): Viewer {
  const surface = useContext(SurfaceContext);
  const reader = useContext(ViewerContext) ?? surface;
  if (!reader) throw new Error('Text needs a viewer context');
  return reader;
}
