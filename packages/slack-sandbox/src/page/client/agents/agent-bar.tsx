import type { ReactNode } from 'react';
import type { ActionResult } from '../state/control-api.ts';
import { useSession } from '../state/session.ts';
import { useControlData } from '../state/use-control-data.ts';

interface ThreadPlace {
  readonly channel: string;
  readonly ts: string;
}

interface AssistantThread extends ThreadPlace {
  readonly title: string;
  readonly status: string;
  readonly promptsTitle: string;
  readonly prompts: readonly { readonly title: string; readonly message: string }[];
}

interface AgentSession extends ThreadPlace {
  readonly title: string;
  readonly status: 'active' | 'processing' | 'suspended' | 'closed';
}

interface Props extends ThreadPlace {
  /** Sends a suggested prompt as the person's message. */
  ask(text: string): void;
}

/** Shows an assistant's or agent's title, status and suggested prompts of a thread. */
export function AgentBar({ channel, ts, ask }: Props): ReactNode {
  const { control } = useSession();
  const kinds = ['assistant', 'channel', 'message'];
  const { data: assistants } = useControlData<{ threads: readonly AssistantThread[] }>(
    control,
    'assistant-threads',
    kinds,
  );
  const { data: agents } = useControlData<{ sessions: readonly AgentSession[] }>(
    control,
    'agent-sessions',
    kinds,
  );
  const isHere = (place: ThreadPlace) => place.channel === channel && place.ts === ts;
  const thread = assistants?.threads.find(isHere);
  const session = agents?.sessions.find(isHere);
  const title = thread?.title || session?.title;
  if (!thread && !session) return null;
  return (
    <section className="agent-bar" aria-label="Agent">
      {title && <h3>{title}</h3>}
      {session && <SessionStatus session={session} />}
      <p role="status">{thread?.status}</p>
      {thread && thread.prompts.length > 0 && (
        <fieldset>
          <legend>{thread.promptsTitle || 'Suggested prompts'}</legend>
          {thread.prompts.map(({ title: label, message }) => (
            <button key={`${label} ${message}`} type="button" onClick={() => ask(message)}>
              {label}
            </button>
          ))}
        </fieldset>
      )}
    </section>
  );
}

/** The state of an agent's work. People can stop work that is under way. */
function SessionStatus({ session: { channel, ts, status } }: { readonly session: AgentSession }): ReactNode {
  const { control, me, runAndNotify } = useSession();
  const stop = () =>
    runAndNotify(control.post<ActionResult>('stop-agent', { user: me.id, channel, thread_ts: ts }));
  return (
    <p className="agent-session">
      Session: <strong>{status}</strong>
      {status === 'processing' && (
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      )}
    </p>
  );
}
