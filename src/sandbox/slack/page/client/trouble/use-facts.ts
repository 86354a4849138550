import { useCallback, useEffect, useState } from 'react';
import type { Control } from '../control.ts';

/** What was read, why it could not be, and a way to read it again. */
interface LiveFacts<Facts> {
  readonly facts: Facts | undefined;
  readonly failure: string | undefined;
  /** Takes what an act answered, which is newer. */
  setFacts(facts: Facts): void;
  refresh(): Promise<void>;
}

/** Reads a path of the control API, and again whenever a change of one of `kinds` is told. */
export function useFacts<Facts>(control: Control, path: string, kinds: readonly string[]): LiveFacts<Facts> {
  const [facts, setFacts] = useState<Facts>();
  const [failure, setFailure] = useState<string>();
  const watched = kinds.join(' ');

  const refresh = useCallback(async () => {
    try {
      setFacts(await control.get<Facts>(path));
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }, [control, path]);

  useEffect(() => {
    void refresh();
    const kindsWatched = new Set(['connected', 'reset', ...watched.split(' ')]);
    return control.follow(({ kind }) => {
      if (kindsWatched.has(kind)) void refresh();
    });
  }, [control, refresh, watched]);

  return { facts, failure, setFacts, refresh };
}
