import type { ReactNode } from 'react';
import { type Panel, panels } from './dock.tsx';
import { Icon } from './icon.tsx';
import { useSession } from './session.ts';
import { type Store, useStore } from './store.ts';
import { chooseTheme, type Theme } from './theme.ts';
import { count } from './words.ts';

interface Props {
  readonly theme: Store<Theme>;
  readonly panel: Panel | undefined;
  readonly offered: readonly Panel[];
  readonly isMenuOpen: boolean;
  toggle(panel: Panel): void;
  toggleMenu(): void;
  search(): void;
  help(): void;
}

/** What stands above everything: search, whether the app is there, and the sandbox's own tools. */
export function TopBar({
  theme,
  panel,
  offered,
  isMenuOpen,
  toggle,
  toggleMenu,
  search,
  help,
}: Props): ReactNode {
  const colours = useStore(theme);
  const other = colours === 'dark' ? 'light' : 'dark';
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
      <AppState />
      <div className="tools">
        {offered.map((one) => (
          <button
            key={one}
            type="button"
            className="tool"
            aria-pressed={panel === one}
            aria-label={panels[one].label}
            title={panels[one].label}
            onClick={() => toggle(one)}
          >
            <Icon name={panels[one].icon} />
            <span>{panels[one].label}</span>
          </button>
        ))}
        <button
          type="button"
          className="icon-button"
          aria-label={`Use ${other} colours`}
          title={`Use ${other} colours`}
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

/** Whether the sandbox is there, and the app with it. */
function AppState(): ReactNode {
  const { team, workspace } = useSession();
  const link = useStore(team.link);
  const { connections, delivery, name } = workspace.app;
  if (link === 'lost')
    return <AppLine kind="lost" words="The sandbox is away" hint="It is tried again all the time." />;
  if (delivery === 'http')
    return <AppLine kind="here" words={`${name} over HTTP`} hint="Payloads are sent to its URL, signed." />;
  if (connections === 0) {
    return (
      <AppLine
        kind="lost"
        words="No app is connected"
        hint="Start one: npm run sandbox, or any Bolt app with SLACK_API_URL."
      />
    );
  }
  const sockets = count(connections, 'socket', 'sockets');
  return (
    <AppLine kind="here" words={`${name}: ${sockets}`} hint={`${name} is connected over Socket Mode.`} />
  );
}

function AppLine({ kind, words, hint }: Readonly<Record<'kind' | 'words' | 'hint', string>>): ReactNode {
  return (
    <p className={`app-state ${kind}`} role="status" aria-label="App" title={hint}>
      {words}
    </p>
  );
}
