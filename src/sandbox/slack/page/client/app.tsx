import { type ReactNode, useEffect, useState } from 'react';
import { hashOf, useAddress } from './address.ts';
import { createControl } from './control.ts';
import { PersonPage } from './person-page.tsx';
import { type Store, useStore } from './store.ts';
import { createTeam } from './team.ts';
import type { Theme } from './theme.ts';

/** Where the page begins when the address names no workspace. */
const defaultTeam = 'T0ACME';

/** The whole page: the workspace that the address names. */
export function App({ theme }: { readonly theme: Store<Theme> }): ReactNode {
  const { team = defaultTeam } = useAddress();
  return <TeamPage key={team} id={team} theme={theme} />;
}

function TeamPage({ id, theme }: { readonly id: string; readonly theme: Store<Theme> }): ReactNode {
  const [team] = useState(() => createTeam(createControl(id)));
  useEffect(() => team.start(), [team]);
  const workspace = useStore(team.facts);
  const failure = useStore(team.failure);
  if (workspace) return <PersonPage team={team} workspace={workspace} theme={theme} />;
  return (
    <main className="lonely">
      {failure ? (
        <>
          <p role="alert">The workspace cannot be shown: {failure}</p>
          <p>
            <a href={hashOf({ team: defaultTeam })}>Go to {defaultTeam}</a>
          </p>
        </>
      ) : (
        <p role="status">Opening the workspace…</p>
      )}
    </main>
  );
}
