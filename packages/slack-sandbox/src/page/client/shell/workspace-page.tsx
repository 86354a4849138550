import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Toast, Toasts } from '../components/toasts.tsx';
import { type Address, formatAddress, useAddress } from '../state/address.ts';
import { appPlacesOf } from '../state/app-places.ts';
import type { ActionResult, AppData, Channel, Person, WorkspaceData } from '../state/control-api.ts';
import { createDisplayNames, listHumans } from '../state/display-names.ts';
import { errorMessage, explainSlackError } from '../state/error-message.ts';
import { type Session, SessionContext } from '../state/session.ts';
import { type Store, useStore } from '../state/store.ts';
import { createTimestampFormatter } from '../state/timestamp-formatter.ts';
import { createViewStore } from '../state/view-store.ts';
import type { WorkspaceStore } from '../state/workspace-store.ts';
import { Shell } from './shell.tsx';
import type { Theme } from './theme.ts';

interface Props {
  readonly workspaceStore: WorkspaceStore;
  readonly workspace: WorkspaceData;
  readonly theme: Store<Theme>;
}

/** Shows the workspace as the person in the address sees it, or else the first person. */
export function WorkspacePage({ workspaceStore, workspace, theme }: Props): ReactNode {
  const address = useAddress();
  const humans = listHumans(workspace);
  const me = humans.find(({ id }) => id === address.user) ?? humans[0];
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const isReloaded = useIsReloaded();

  const notify = useCallback((text: string, kind: Toast['kind'] = 'trouble') => {
    lastId.current += 1;
    const toast = { id: lastId.current, text, kind };
    setToasts((shown) => [...shown.filter((one) => one.text !== text).slice(-2), toast]);
  }, []);
  const dismiss = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );

  const session = useCreateSession(workspaceStore, workspace, me, address, isReloaded, notify);
  if (!session) return <p role="alert">No one is in this workspace.</p>;
  return (
    <SessionContext value={session}>
      <SessionShell key={`${session.me.id} ${session.workspace.app.id}`} session={session} theme={theme} />
      <Toasts toasts={toasts} dismiss={dismiss} />
    </SessionContext>
  );
}

function SessionShell({
  session,
  theme,
}: {
  readonly session: Session;
  readonly theme: Store<Theme>;
}): ReactNode {
  const { control, me, workspace } = session;
  const [views] = useState(() => createViewStore(control, me.id, workspace.app.id));
  useEffect(() => views.start(), [views]);
  return <Shell views={useStore(views.state)} theme={theme} />;
}

/**
 * Returns whether the page was reloaded, until the first request for messages has reported it.
 * Slack's clients lose ephemeral messages on a reload.
 */
function useIsReloaded(): boolean {
  const [isReloaded, setReloaded] = useState(() =>
    performance
      .getEntriesByType('navigation')
      .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload'),
  );
  useEffect(() => setReloaded(false), []);
  return isReloaded;
}

function useCreateSession(
  workspaceStore: WorkspaceStore,
  everything: WorkspaceData,
  me: Person | undefined,
  address: Address,
  isReloaded: boolean,
  notify: Session['notify'],
): Session | undefined {
  const { control } = workspaceStore;
  const teamId = everything.team.id;
  const user = me?.id;
  const place = address.place ?? findFirstChannel(everything, user)?.id ?? 'home';
  const workspace = useMemo(() => openApp(everything, place), [everything, place]);
  const { thread, message } = address;

  const hrefOf = useCallback(
    (next: Address) => formatAddress({ team: teamId, user, place, ...next }),
    [teamId, user, place],
  );
  const navigate = useCallback(
    (next: Address) => {
      // Another workspace has other people and places, so the current ones are not kept.
      location.hash = next.team ? formatAddress(next) : hrefOf(next);
    },
    [hrefOf],
  );
  const runAndNotify = useCallback(
    async (act: Promise<ActionResult>) => {
      const { error, note } = await act.catch(
        (failure: unknown): ActionResult => ({ error: errorMessage(failure) }),
      );
      if (error) notify(explainSlackError(error, workspace.app.name));
      else if (note) notify(note, 'note');
    },
    [notify, workspace.app.name],
  );

  return useMemo(() => {
    if (!me) return undefined;
    const visit = (id: string) => {
      if (workspace.channels.some((channel) => channel.id === id)) navigate({ place: id });
      const app = workspace.apps.find(({ user_id: botUser }) => botUser === id);
      if (app) navigate({ place: appPlacesOf(app, me.id).messages });
    };
    const appPlaces = appPlacesOf(workspace.app, me.id);
    return {
      control,
      workspaceStore,
      workspace,
      me,
      place,
      appPlaces,
      isHome: place === appPlaces.home,
      channel: place === appPlaces.messages ? appPlaces.channel : place,
      thread,
      message,
      isReloaded,
      names: createDisplayNames(workspace, me.id, visit),
      timestamps: createTimestampFormatter(me.tz),
      hrefOf,
      navigate,
      notify,
      runAndNotify,
      runShortcut: (callback_id, surface) =>
        runAndNotify(control.post<ActionResult>('shortcut', { user: me.id, callback_id, ...surface })),
    };
  }, [
    control,
    workspaceStore,
    workspace,
    me,
    place,
    thread,
    message,
    isReloaded,
    hrefOf,
    navigate,
    notify,
    runAndNotify,
  ]);
}

/** Returns the workspace with the app whose place is open as its app. */
function openApp(workspace: WorkspaceData, place: string): WorkspaceData {
  const isOpen = (app: AppData) => {
    const { home, messages } = appPlacesOf(app, '');
    return place === home || (messages !== '' && place === messages);
  };
  const app = workspace.apps.find(isOpen);
  return app ? { ...workspace, app } : workspace;
}

/** Returns the channel that opens first: an ordinary one of the person and an app, if there is one. */
function findFirstChannel({ channels }: WorkspaceData, user: string | undefined): Channel | undefined {
  const ordinary = channels.find(
    ({ is_shared, has_app, members }) =>
      !is_shared && has_app && user !== undefined && members.includes(user),
  );
  return ordinary ?? channels[0];
}
