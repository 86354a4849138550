import { useCallback, useEffect, useState } from 'react';
import type { ControlClient } from './control-client.ts';

/** Loaded data, the error if loading failed, and a function that loads again. */
interface LiveData<Data> {
  readonly data: Data | undefined;
  readonly error: string | undefined;
  /** Applies newer data from the response to an action. */
  setData(data: Data): void;
  refresh(): Promise<void>;
}

/** Loads from a path of the control API. Loads again after each change whose kind is in `kinds`. */
export function useControlData<Data>(
  control: ControlClient,
  path: string,
  kinds: readonly string[],
): LiveData<Data> {
  const [data, setData] = useState<Data>();
  const [error, setError] = useState<string>();
  const watched = kinds.join(' ');

  const refresh = useCallback(async () => {
    try {
      setData(await control.get<Data>(path));
      setError(undefined);
    } catch (error) {
      setError(error instanceof Error ? error.message : String(error));
    }
  }, [control, path]);

  useEffect(() => {
    void refresh();
    const kindsWatched = new Set(['connected', 'reset', ...watched.split(' ')]);
    return control.subscribe(({ kind }) => {
      if (kindsWatched.has(kind)) void refresh();
    });
  }, [control, refresh, watched]);

  return { data, error, setData, refresh };
}
