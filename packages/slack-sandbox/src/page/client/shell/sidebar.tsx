import type { ReactNode } from 'react';
import { Avatar } from '../components/avatar.tsx';
import { appPlacesOf } from '../state/app-places.ts';
import type { AppData } from '../state/control-api.ts';
import { useSession } from '../state/session.ts';
import { useStore } from '../state/store.ts';
import { unreadKey } from '../state/unread-store.ts';
import { Switchers } from './switchers.tsx';

/** The current user and the list of conversations. */
export function Sidebar({ close }: { close(): void }): ReactNode {
  const { workspace, me, place, workspaceStore } = useSession();
  const { apps, channels } = workspace;
  const visible = channels.filter((channel) => !channel.is_private || channel.members.includes(me.id));
  const marks = useStore(workspaceStore.unread.counts);
  const markOf = (channel: string) => marks[unreadKey(me.id, channel)];

  return (
    <nav id="sidebar" className="sidebar" aria-label="Conversations">
      <Switchers />
      <div className="places">
        <h2>Channels</h2>
        <ul>
          {visible.map(({ id, name, has_app: hasApp, is_archived: isArchived, ...kind }) => (
            <SidebarLink
              key={id}
              place={id}
              note={isArchived ? 'archived' : hasApp ? kind.is_shared && 'shared' : 'without the app'}
              unreadCount={markOf(id)}
              isCurrent={place === id}
              close={close}
            >
              <span>{kind.is_private ? '🔒' : '#'}</span>
              <span>{name}</span>
            </SidebarLink>
          ))}
        </ul>
        <h2>Apps</h2>
        <ul>
          {apps.map((app) => (
            <AppLink key={app.id} app={app} markOf={markOf} close={close} />
          ))}
        </ul>
      </div>
    </nav>
  );
}

interface AppLinkProps {
  readonly app: AppData;
  markOf(channel: string): number | undefined;
  close(): void;
}

function AppLink({ app, markOf, close }: AppLinkProps): ReactNode {
  const { me, place } = useSession();
  const { home, messages, channel } = appPlacesOf(app, me.id);
  const isCurrent = place === home || place === messages;
  const isThere = app.delivery === 'http' || app.connections > 0;
  return (
    <SidebarLink
      place={isCurrent ? place : app.home_tab ? home : messages}
      unreadCount={markOf(channel)}
      isCurrent={isCurrent}
      close={close}
    >
      <span className={isThere ? 'presence here' : 'presence'}>
        <Avatar name={app.name} isApp />
      </span>
      <span>{app.name}</span>
    </SidebarLink>
  );
}

interface LinkProps {
  readonly place: string;
  readonly note?: string | false;
  /** Number of mentions. Undefined if nothing is unread. */
  readonly unreadCount: number | undefined;
  readonly isCurrent: boolean;
  close(): void;
  readonly children: ReactNode;
}

function SidebarLink({ place, note, unreadCount, isCurrent, close, children }: LinkProps): ReactNode {
  const { hrefOf } = useSession();
  return (
    <li>
      <a
        href={hrefOf({ place })}
        className={unreadCount === undefined ? 'place' : 'place unread'}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={close}
      >
        {children}
        {note && <small>{note}</small>}
        {unreadCount !== undefined && <span className="visually-hidden">new messages</span>}
        {unreadCount !== undefined && unreadCount > 0 && (
          <span className="count">
            {unreadCount} <span className="visually-hidden">for you</span>
          </span>
        )}
      </a>
    </li>
  );
}
