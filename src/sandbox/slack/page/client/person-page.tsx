import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Address, hashOf, useAddress } from './address.ts';
import { createMoments } from './moments.ts';
import { createNames, directMessagesOf, humansOf } from './names.ts';
import { type Session, SessionContext } from './session.ts';
import { Shell } from './shell.tsx';
import { type Store, useStore } from './store.ts';
import type { Team } from './team.ts';
import type { Theme } from './theme.ts';
import { type Toast, Toasts } from './toasts.tsx';
import { createViews } from './views.ts';
import type { Person, Reaction, WorkspaceFacts } from './wire.ts';
import { explain, wordsOf } from './words.ts';

interface Props {
  readonly team: Team;
  readonly workspace: WorkspaceFacts;
  readonly theme: Store<Theme>;
}

/** The workspace as the person sees it whom the address names, or the first one. */
export function PersonPage({ team, workspace, theme }: Props): ReactNode {
  const address = useAddress();
  const humans = humansOf(workspace);
  const me = humans.find(({ id }) => id === address.user) ?? humans[0];
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const isReloaded = useReload();

  const notify = useCallback((words: string, kind: Toast['kind'] = 'trouble') => {
    lastId.current += 1;
    const toast = { id: lastId.current, words, kind };
    setToasts((shown) => [...shown.filter((one) => one.words !== words).slice(-2), toast]);
  }, []);
  const dismiss = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );

  const session = useSessionOf(team, workspace, me, address, isReloaded, notify);
  if (!session) return <p role="alert">Nobody is in this workspace.</p>;
  return (
    <SessionContext value={session}>
      <Screen key={session.me.id} session={session} theme={theme} />
      <Toasts toasts={toasts} dismiss={dismiss} />
    </SessionContext>
  );
}

function Screen({ session, theme }: { readonly session: Session; readonly theme: Store<Theme> }): ReactNode {
  const { control, me } = session;
  const [views] = useState(() => createViews(control, me.id));
  useEffect(() => views.start(), [views]);
  return <Shell views={useStore(views.state)} theme={theme} />;
}

/** At a reload Slack's clients lose what only one person saw; the first to ask for messages says so. */
function useReload(): boolean {
  const [isReloaded, setReloaded] = useState(() =>
    performance
      .getEntriesByType('navigation')
      .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload'),
  );
  useEffect(() => setReloaded(false), []);
  return isReloaded;
}

function useSessionOf(
  team: Team,
  workspace: WorkspaceFacts,
  me: Person | undefined,
  address: Address,
  isReloaded: boolean,
  notify: Session['notify'],
): Session | undefined {
  const { control } = team;
  const teamId = workspace.team.id;
  const user = me?.id;
  const place = address.place ?? workspace.channels[0]?.id ?? 'home';
  const { thread, message } = address;

  const hrefOf = useCallback(
    (next: Address) => hashOf({ team: teamId, user, place, ...next }),
    [teamId, user, place],
  );
  const go = useCallback(
    (next: Address) => {
      // Another workspace has other people and places.
      location.hash = next.team ? hashOf(next) : hrefOf(next);
    },
    [hrefOf],
  );
  const tell = useCallback(
    async (act: Promise<Reaction>) => {
      const { error, note } = await act.catch((failure: unknown): Reaction => ({ error: wordsOf(failure) }));
      if (error) notify(explain(error, workspace.app.name));
      else if (note) notify(note, 'note');
    },
    [notify, workspace.app.name],
  );

  return useMemo(() => {
    if (!me) return undefined;
    const visit = (id: string) => {
      if (workspace.channels.some((channel) => channel.id === id)) go({ place: id });
      else if (id === workspace.app.user_id) go({ place: me.id });
    };
    return {
      control,
      team,
      workspace,
      me,
      place,
      channel: place === me.id ? directMessagesOf(me.id) : place,
      thread,
      message,
      isReloaded,
      names: createNames(workspace, me.id, visit),
      moments: createMoments(me.tz),
      hrefOf,
      go,
      notify,
      tell,
      runShortcut: (callback_id, surface) =>
        tell(control.post<Reaction>('shortcut', { user: me.id, callback_id, ...surface })),
    };
  }, [control, team, workspace, me, place, thread, message, isReloaded, hrefOf, go, notify, tell]);
}
