import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ComposerContext } from './composer-port.ts';
import { Conversation, Thread } from './conversation.tsx';
import { Dock } from './dock.tsx';
import { Home } from './home.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { Modals } from './modals.tsx';
import { QuickSwitcher } from './quick-switcher.tsx';
import { useSession } from './session.ts';
import { Sidebar } from './sidebar.tsx';
import type { Store } from './store.ts';
import type { Theme } from './theme.ts';
import { TopBar } from './top-bar.tsx';
import type { Drafts } from './use-composing.ts';
import { useDock } from './use-dock.ts';
import { useKeys } from './use-keys.ts';
import { usePermalinks } from './use-permalinks.ts';
import type { ViewsAnswer } from './wire.ts';

/** Where panes lie over each other. */
const small = '(max-width: 64rem)';

interface Props {
  readonly views: ViewsAnswer;
  readonly theme: Store<Theme>;
}

/** The page around a conversation, and what opens over it. */
export function Shell({ views, theme }: Props): ReactNode {
  const { workspace, me, place, channel, thread, team, go } = useSession();
  const [open, setOpen] = useState<'search' | 'help' | 'menu'>();
  const [given, setGiven] = useState<{ readonly place: string; readonly text: string }>();
  const dock = useDock();
  const draftsOf = useDrafts();
  const close = useCallback(() => setOpen(undefined), []);

  useEffect(() => {
    team.unread.look(me.id, channel);
    document.title = titleOf(workspace.channels.find(({ id }) => id === place)?.name, workspace.app.name);
  }, [team, me.id, place, channel, workspace]);

  usePermalinks();
  useKeys({
    search: () => setOpen('search'),
    help: () => setOpen('help'),
    escape: () => (open ? close() : thread && go({})),
  });

  const port = useMemo(
    () => ({
      insert(text: string) {
        const isTypable = workspace.channels.some(
          ({ id, members }) => id === place && members.includes(me.id),
        );
        const target = isTypable ? place : (workspace.channels[0]?.id ?? place);
        // On a small screen the composer is under whatever else is open.
        if (matchMedia(small).matches) dock.close();
        if (target !== place || matchMedia(small).matches) go({ place: target });
        setGiven({ place: target, text });
      },
    }),
    [workspace, place, me.id, go, dock],
  );

  return (
    <ComposerContext value={port}>
      <div className={`shell ${open === 'menu' ? 'menu-open' : ''}`}>
        <TopBar
          theme={theme}
          panel={dock.panel}
          offered={dock.offered}
          isMenuOpen={open === 'menu'}
          toggle={dock.toggle}
          toggleMenu={() => setOpen(open === 'menu' ? undefined : 'menu')}
          search={() => setOpen('search')}
          help={() => setOpen('help')}
        />
        <Sidebar close={close} />
        {open === 'menu' && (
          <button type="button" className="scrim" aria-label="Close menu" onClick={close} />
        )}
        <div className="panes">
          <main key={place} className="conversation" aria-label={place === 'home' ? 'Home' : 'Conversation'}>
            {place === 'home' ? (
              <Home view={views.home} />
            ) : (
              <Conversation drafts={draftsOf(place)} given={given?.place === place ? given : undefined} />
            )}
          </main>
          {thread && place !== 'home' && (
            <aside key={`${place} ${thread}`} className="thread" aria-label="Thread pane">
              <Thread ts={thread} drafts={draftsOf(`${place} ${thread}`)} />
            </aside>
          )}
          {dock.panel && (
            <Dock panel={dock.panel} offered={dock.offered} show={dock.show} close={dock.close} />
          )}
        </div>
      </div>
      <Modals stack={views.modals} />
      {open === 'search' && <QuickSwitcher offered={dock.offered} show={dock.show} close={close} />}
      {open === 'help' && <KeyboardHelp close={close} />}
    </ComposerContext>
  );
}

/** What each place's composer holds, for as long as the page is open. */
function useDrafts(): (place: string) => Drafts {
  const all = useRef(new Map<string, Drafts>());
  return useCallback((place) => {
    const drafts = all.current.get(place) ?? { draft: '', sent: [] };
    all.current.set(place, drafts);
    return drafts;
  }, []);
}

function titleOf(channel: string | undefined, app: string): string {
  return `${channel ? `# ${channel}` : app} · Slack sandbox`;
}
