/** A thread in which an agent works. */
export interface AgentSession {
  readonly channel: string;
  readonly ts: string;
  title: string;
  status: 'active' | 'processing' | 'suspended' | 'closed';
}

export interface AgentSessions {
  /** Returns the session of a thread. Creates it with this title if there is none. */
  open(channel: string, ts: string, title: string): AgentSession;
  find(channel: string, ts: string): AgentSession | undefined;
  list(): readonly AgentSession[];
}

export function createAgentSessions(): AgentSessions {
  const sessions = new Map<string, AgentSession>();
  const keyOf = (channel: string, ts: string) => `${channel}/${ts}`;
  return {
    open(channel, ts, title) {
      const session = sessions.get(keyOf(channel, ts)) ?? { channel, ts, title, status: 'active' };
      sessions.set(keyOf(channel, ts), session);
      return session;
    },
    find: (channel, ts) => sessions.get(keyOf(channel, ts)),
    list: () => [...sessions.values()],
  };
}
