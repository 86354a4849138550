import type { ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import { pluralize } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { type Store, useStore } from '../state/store.ts';
import { useRefusalCount } from '../workbench/use-refusal-count.ts';
import { panels, type WorkbenchPanel } from '../workbench/workbench.tsx';
import { chooseTheme, type Theme } from './theme.ts';

interface Props {
  readonly theme: Store<Theme>;
  readonly panel: WorkbenchPanel | undefined;
  readonly availablePanels: readonly WorkbenchPanel[];
  readonly isMenuOpen: boolean;
  toggle(panel: WorkbenchPanel): void;
  toggleMenu(): void;
  search(): void;
  help(): void;
}

/** The top bar: search, the app's connection status, and the sandbox's tools. */
export function TopBar({
  theme,
  panel,
  availablePanels,
  isMenuOpen,
  toggle,
  toggleMenu,
  search,
  help,
}: Props): ReactNode {
  const colors = useStore(theme);
  const other = colors === 'dark' ? 'light' : 'dark';
  const refusals = useRefusalCount(panel === 'inspector');
  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button menu-toggle"
        aria-label="Conversations"
        aria-controls="sidebar"
        aria-expanded={isMenuOpen}
        onClick={toggleMenu}
      >
        <Icon name="menu" />
      </button>
      <h1>
        Slack <span>sandbox</span>
      </h1>
      <button type="button" className="search" aria-keyshortcuts="Control+K" onClick={search}>
        <Icon name="search" />
        <span>Go to a channel, person or panel</span>
        <kbd>Ctrl K</kbd>
      </button>
      <AppStatus />
      <div className="tools">
        {availablePanels.map((one) => (
          <button
            key={one}
            type="button"
            className="tool"
            data-panel={one}
            aria-pressed={panel === one}
            aria-label={panels[one].label}
            {...(one === 'inspector' && refusals > 0 && { 'aria-description': `${refusals} refused` })}
            title={panels[one].label}
            onClick={() => toggle(one)}
          >
            <Icon name={panels[one].icon} />
            <span>{panels[one].label}</span>
            {one === 'inspector' && refusals > 0 && (
              <b className="tool-count" aria-hidden="true" title={`${refusals} refused`}>
                {refusals > 99 ? '99+' : refusals}
              </b>
            )}
          </button>
        ))}
        <button
          type="button"
          className="icon-button"
          aria-label={`Use ${other} colors`}
          title={`Use ${other} colors`}
          onClick={() => chooseTheme(theme, other)}
        >
          <Icon name={other === 'dark' ? 'moon' : 'sun'} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Keyboard"
          title="Keyboard (?)"
          onClick={help}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/** Shows whether the sandbox and the app are connected. */
function AppStatus(): ReactNode {
  const { workspaceStore, workspace } = useSession();
  const link = useStore(workspaceStore.connection);
  const { connections, delivery, name } = workspace.app;
  if (link === 'lost')
    return <StatusLine kind="lost" words="The sandbox is offline" hint="Reconnecting automatically." />;
  if (delivery === 'http')
    return <StatusLine kind="here" words={`${name} over HTTP`} hint="Signed payloads are sent to its URL." />;
  if (connections === 0) {
    return (
      <StatusLine
        kind="lost"
        words="No app is connected"
        hint="Start one: node --import slack-sandbox/register app.js"
      />
    );
  }
  const sockets = pluralize(connections, 'socket', 'sockets');
  return (
    <StatusLine kind="here" words={`${name}: ${sockets}`} hint={`${name} is connected over Socket Mode.`} />
  );
}

function StatusLine({ kind, words, hint }: Readonly<Record<'kind' | 'words' | 'hint', string>>): ReactNode {
  return (
    <p className={`app-state ${kind}`} role="status" aria-label="App" title={hint}>
      {words}
    </p>
  );
}
