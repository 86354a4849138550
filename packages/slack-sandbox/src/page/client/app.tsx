import { type ReactNode, useEffect, useState } from 'react';
import type { Theme } from './shell/theme.ts';
import { WorkspacePage } from './shell/workspace-page.tsx';
import { formatAddress, useAddress } from './state/address.ts';
import { createControlClient } from './state/control-client.ts';
import { type Store, useStore } from './state/store.ts';
import { createWorkspaceStore } from './state/workspace-store.ts';

/** Shows the workspace that the address names. */
export function App({ theme }: { readonly theme: Store<Theme> }): ReactNode {
  const first = useFirstTeam();
  const { team = first } = useAddress();
  if (team === undefined) return <OpeningNotice />;
  return <WorkspaceLoader key={team} id={team} theme={theme} />;
}

/** Returns the ID of the workspace that is shown if the address doesn't name one. */
function useFirstTeam(): string | undefined {
  const [id, setId] = useState<string>();
  useEffect(() => {
    fetch('/sandbox/workspace')
      .then((response) => response.json())
      .then(({ team }: { team: { id: string } }) => setId(team.id))
      .catch(() => undefined);
  }, []);
  return id;
}

function OpeningNotice(): ReactNode {
  return (
    <main className="lonely">
      <p role="status">Opening the workspace…</p>
    </main>
  );
}

function WorkspaceLoader({ id, theme }: { readonly id: string; readonly theme: Store<Theme> }): ReactNode {
  const [team] = useState(() => createWorkspaceStore(createControlClient(id)));
  useEffect(() => team.start(), [team]);
  const workspace = useStore(team.workspace);
  const failure = useStore(team.loadError);
  if (workspace) return <WorkspacePage workspaceStore={team} workspace={workspace} theme={theme} />;
  if (!failure) return <OpeningNotice />;
  return (
    <main className="lonely">
      <p role="alert">This workspace cannot be shown: {failure}</p>
      <p>
        <a href={formatAddress({})}>Go to the first workspace</a>
      </p>
    </main>
  );
}
