import type { ReactNode } from 'react';
import { Avatar } from './avatar.tsx';
import { directMessagesOf } from './names.ts';
import { useSession } from './session.ts';
import { useStore } from './store.ts';
import { Switchers } from './switchers.tsx';
import { unreadKey } from './unread.ts';

/** Who uses the page, and where they can go. */
export function Sidebar({ close }: { close(): void }): ReactNode {
  const { workspace, me, place, team } = useSession();
  const { app, channels } = workspace;
  const marks = useStore(team.unread.marks);
  const markOf = (channel: string) => marks[unreadKey(me.id, channel)];
  const isApp = place === 'home' || place === me.id;
  const appPlace = isApp ? place : app.home_tab ? 'home' : me.id;
  const isThere = app.delivery === 'http' || app.connections > 0;

  return (
    <nav id="sidebar" className="sidebar" aria-label="Conversations">
      <Switchers />
      <div className="places">
        <h2>Channels</h2>
        <ul>
          {channels.map(({ id, name, has_app: hasApp, is_archived: isArchived, is_shared: isShared }) => (
            <PlaceLink
              key={id}
              place={id}
              note={isArchived ? 'archived' : hasApp ? isShared && 'shared' : 'without the app'}
              mark={markOf(id)}
              isCurrent={place === id}
              close={close}
            >
              <span>#</span>
              <span>{name}</span>
            </PlaceLink>
          ))}
        </ul>
        <h2>Apps</h2>
        <ul>
          <PlaceLink place={appPlace} mark={markOf(directMessagesOf(me.id))} isCurrent={isApp} close={close}>
            <span className={isThere ? 'presence here' : 'presence'}>
              <Avatar name={app.name} isApp />
            </span>
            <span>{app.name}</span>
          </PlaceLink>
        </ul>
      </div>
    </nav>
  );
}

interface LinkProps {
  readonly place: string;
  readonly note?: string | false;
  /** Number of pings, where there is something new. */
  readonly mark: number | undefined;
  readonly isCurrent: boolean;
  close(): void;
  readonly children: ReactNode;
}

function PlaceLink({ place, note, mark, isCurrent, close, children }: LinkProps): ReactNode {
  const { hrefOf } = useSession();
  return (
    <li>
      <a
        href={hrefOf({ place })}
        className={mark === undefined ? 'place' : 'place unread'}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={close}
      >
        {children}
        {note && <small>{note}</small>}
        {mark !== undefined && <span className="visually-hidden">new messages</span>}
        {mark !== undefined && mark > 0 && (
          <span className="count">
            {mark} <span className="visually-hidden">for you</span>
          </span>
        )}
      </a>
    </li>
  );
}
