import type { ReactNode } from 'react';
import { errorMessage } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';

/** Opens a thread with the app as an assistant. Shows nothing for other apps. */
export function NewThreadButton(): ReactNode {
  const { control, me, workspace, appPlaces, navigate, notify } = useSession();
  const { app } = workspace;
  if (!app.is_assistant) return null;

  async function open() {
    try {
      const { thread_ts: thread } = await control.post<{ thread_ts: string }>('assistant', {
        user: me.id,
        app: app.id,
      });
      navigate({ place: appPlaces.messages, thread });
    } catch (error) {
      notify(errorMessage(error));
    }
  }

  return (
    <button type="button" className="new-thread" onClick={() => void open()}>
      New Thread
    </button>
  );
}
