/** The title, status and prompts that an app shows in its assistant thread. */
export interface AssistantThread {
  readonly channel: string;
  readonly ts: string;
  title: string;
  status: string;
  /** The line above the prompts. */
  promptsTitle: string;
  prompts: readonly { readonly title: string; readonly message: string }[];
}

export interface AssistantThreads {
  /** Returns a thread. Creates it if it isn't known. */
  open(channel: string, ts: string): AssistantThread;
  list(): readonly AssistantThread[];
  /** Removes the status of a thread, like a message by the app does. */
  clearStatus(channel: string, ts: string): void;
}

export function createAssistantThreads(): AssistantThreads {
  const threads = new Map<string, AssistantThread>();
  return {
    open(channel, ts) {
      const key = `${channel}/${ts}`;
      const thread = threads.get(key) ?? {
        channel,
        ts,
        title: '',
        status: '',
        promptsTitle: '',
        prompts: [],
      };
      threads.set(key, thread);
      return thread;
    },
    list: () => [...threads.values()],
    clearStatus(channel, ts) {
      const thread = threads.get(`${channel}/${ts}`);
      if (thread) thread.status = '';
    },
  };
}
