import type { ReactNode } from 'react';
import { useSession } from '../state/session.ts';

/** The app's tabs: Home, and the direct messages. */
export function AppTabs(): ReactNode {
  const { workspace, place, appPlaces, hrefOf } = useSession();
  const { home_tab: hasHome, messages_tab: messages } = workspace.app;
  if (!hasHome || messages === 'off') return null;
  const current = (tab: string) => (tab === place ? ('page' as const) : undefined);
  return (
    <nav className="app-tabs" aria-label={workspace.app.name}>
      <a href={hrefOf({ place: appPlaces.home })} aria-current={current(appPlaces.home)}>
        Home
      </a>
      <a href={hrefOf({ place: appPlaces.messages })} aria-current={current(appPlaces.messages)}>
        Messages
      </a>
    </nav>
  );
}
