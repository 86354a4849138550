import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ComposerContext } from '../composer/composer-context.ts';
import type { Drafts } from '../composer/use-composer-input.ts';
import { Conversation, Thread } from '../conversation/conversation.tsx';
import type { ViewsResponse } from '../state/control-api.ts';
import { useSession } from '../state/session.ts';
import type { Store } from '../state/store.ts';
import { Home } from '../views/home.tsx';
import { Modals } from '../views/modals.tsx';
import { useWorkbench } from '../workbench/use-workbench.ts';
import { Workbench } from '../workbench/workbench.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { QuickSwitcher } from './quick-switcher.tsx';
import { Sidebar } from './sidebar.tsx';
import type { Theme } from './theme.ts';
import { TopBar } from './top-bar.tsx';
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts';
import { usePermalinks } from './use-permalinks.ts';

/** At this width, panes overlap. */
const narrowScreenQuery = '(max-width: 64rem)';

interface Props {
  readonly views: ViewsResponse;
  readonly theme: Store<Theme>;
}

/** The page around a conversation, including its overlays. */
export function Shell({ views, theme }: Props): ReactNode {
  const { workspace, me, place, isHome, channel, thread, workspaceStore, navigate } = useSession();
  const [open, setOpen] = useState<'search' | 'help' | 'menu'>();
  const [given, setGiven] = useState<{ readonly place: string; readonly text: string }>();
  const [focusRequest, setFocusRequest] = useState(0);
  const dock = useWorkbench();
  const draftsOf = useDrafts();
  const close = useCallback(() => setOpen(undefined), []);

  useEffect(() => {
    workspaceStore.unread.markRead(me.id, channel);
    document.title = formatTitle(workspace.channels.find(({ id }) => id === place)?.name, workspace.app.name);
  }, [workspaceStore, me.id, place, channel, workspace]);

  usePermalinks();
  useKeyboardShortcuts({
    search: () => setOpen('search'),
    help: () => setOpen('help'),
    escape: () => (open ? close() : thread && navigate({})),
  });

  const port = useMemo(
    () => ({
      insert(text: string) {
        const isTypable = workspace.channels.some(
          ({ id, members }) => id === place && members.includes(me.id),
        );
        const target = isTypable ? place : (workspace.channels[0]?.id ?? place);
        // On a small screen, the composer is covered by the other panes.
        if (matchMedia(narrowScreenQuery).matches) dock.close();
        if (target !== place || matchMedia(narrowScreenQuery).matches) navigate({ place: target });
        setGiven({ place: target, text });
      },
      openGuide:
        dock.availablePanels.includes('guide') && dock.panel !== 'guide'
          ? () => dock.show('guide')
          : undefined,
    }),
    [workspace, place, me.id, navigate, dock],
  );

  return (
    <ComposerContext value={port}>
      <div className={`shell ${open === 'menu' ? 'menu-open' : ''}`}>
        <TopBar
          theme={theme}
          panel={dock.panel}
          availablePanels={dock.availablePanels}
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
          <main>
            <section key={place} className="conversation" aria-label={isHome ? 'Home' : 'Conversation'}>
              {isHome ? (
                <Home view={views.home} />
              ) : (
                <Conversation
                  drafts={draftsOf(place)}
                  insertion={given?.place === place ? given : undefined}
                  focusRequest={focusRequest}
                />
              )}
            </section>
            {thread && !isHome && (
              <section key={`${place} ${thread}`} className="thread" aria-label="Thread pane">
                <Thread ts={thread} drafts={draftsOf(`${place} ${thread}`)} />
              </section>
            )}
          </main>
          {dock.panel && (
            <Workbench
              panel={dock.panel}
              availablePanels={dock.availablePanels}
              show={dock.show}
              close={dock.close}
            />
          )}
        </div>
      </div>
      <Modals stack={views.modals} />
      {open === 'search' && (
        <QuickSwitcher
          availablePanels={dock.availablePanels}
          show={dock.show}
          focusComposer={() => setFocusRequest((last) => last + 1)}
          close={close}
        />
      )}
      {open === 'help' && <KeyboardHelp close={close} />}
    </ComposerContext>
  );
}

/** Stores the composer's text in each place until the page is closed. */
function useDrafts(): (place: string) => Drafts {
  const all = useRef(new Map<string, Drafts>());
  return useCallback((place) => {
    const drafts = all.current.get(place) ?? { draft: '', sent: [] };
    all.current.set(place, drafts);
    return drafts;
  }, []);
}

function formatTitle(channel: string | undefined, app: string): string {
  return `${channel ? `# ${channel}` : app} · Slack sandbox`;
}
