/** The lines of callers that have joined a waiting call of another line. */
export interface JoinedLines {
  add(line: string): void;
  /**
   * Calls the listener for each line that has joined or joins. Returns a function that removes the
   * listener.
   */
  subscribe(listener: (line: string) => void): () => void;
}

export function createJoinedLines(): JoinedLines {
  const lines = new Set<string>();
  const listeners = new Set<(line: string) => void>();
  return {
    add(line) {
      if (lines.has(line)) return;
      lines.add(line);
      for (const listener of listeners) listener(line);
    },
    subscribe(listener) {
      listeners.add(listener);
      for (const line of lines) listener(line);
      return () => listeners.delete(listener);
    },
  };
}
