import { type ReactNode, useEffect, useState } from 'react';
import type { Theme } from './shell/theme.ts';
import { WorkspacePage } from './shell/workspace-page.tsx';
import { formatAddress, useAddress } from './state/address.ts';
import { createControlClient } from './state/control-client.ts';
import { type Store, useStore } from './state/store.ts';
import { createWorkspaceStore } from './state/workspace-store.ts';

/** The workspace that is shown if the address doesn't name one. */
const defaultTeamId = 'T0ACME';

/** Shows the workspace that the address names. */
export function App({ theme }: { readonly theme: Store<Theme> }): ReactNode {
  const { team = defaultTeamId } = useAddress();
  return <WorkspaceLoader key={team} id={team} theme={theme} />;
}

function WorkspaceLoader({ id, theme }: { readonly id: string; readonly theme: Store<Theme> }): ReactNode {
  const [team] = useState(() => createWorkspaceStore(createControlClient(id)));
  useEffect(() => team.start(), [team]);
  const workspace = useStore(team.workspace);
  const failure = useStore(team.loadError);
  if (workspace) return <WorkspacePage workspaceStore={team} workspace={workspace} theme={theme} />;
  return (
    <main className="lonely">
      {failure ? (
        <>
          <p role="alert">This workspace cannot be shown: {failure}</p>
          <p>
            <a href={formatAddress({ team: defaultTeamId })}>Go to {defaultTeamId}</a>
          </p>
        </>
      ) : (
        <p role="status">Opening the workspace…</p>
      )}
    </main>
  );
}
