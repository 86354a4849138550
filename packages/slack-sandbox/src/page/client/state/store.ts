import { useSyncExternalStore } from 'react';

/** A value that changes outside of components and is shown by components. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns a store's current value. */
export function useStore<Value>({ get, subscribe }: Pick<Store<Value>, 'get' | 'subscribe'>): Value {
  return useSyncExternalStore(subscribe, get);
}
