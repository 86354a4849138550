import { useEffect, useState } from 'react';
import { useSession } from '../state/session.ts';

/** Counts the calls that Slack has refused since the Inspector was last open. */
export function useRefusalCount(isInspectorOpen: boolean): number {
  const { control } = useSession();
  const [count, setCount] = useState(0);

  useEffect(() => {
    setCount(0);
    if (isInspectorOpen) return;
    return control.subscribe(({ kind }) => {
      if (kind === 'refusal') setCount((known) => known + 1);
      else if (kind === 'reset') setCount(0);
    });
  }, [control, isInspectorOpen]);

  return count;
}
