import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Returns an element's current width. `first` is returned until the width is known. */
export function useElementWidth(first: number): readonly [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}
