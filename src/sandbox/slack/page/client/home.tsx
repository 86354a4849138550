import { type ReactNode, useEffect, useMemo } from 'react';
import { AppTabs } from './app-tabs.tsx';
import { Blocks } from './block-kit/blocks.tsx';
import { SurfaceContext } from './block-kit/surface.ts';
import { useSession } from './session.ts';
import { createKeeper, useViewSurface } from './surfaces.ts';
import type { Reaction, ViewFacts } from './wire.ts';
import { explain } from './words.ts';

const noErrors = {};

/** The app's Home tab; the app is told that it was opened. */
export function Home({ view }: { readonly view: ViewFacts | null }): ReactNode {
  const { control, me, workspace, tell } = useSession();
  const { name } = workspace.app;

  useEffect(() => {
    const opened = control.post<Reaction>('home', { user: me.id });
    void tell(opened.then(({ error }) => (error ? { error: explain(error, name) } : {})));
  }, [control, me, name, tell]);

  return (
    <>
      <header className="pane-head">
        <h2 tabIndex={-1}>{name}</h2>
        <AppTabs />
      </header>
      <section className="home" aria-label="Home tab">
        {view ? (
          <HomeView key={view.id} view={view} />
        ) : (
          <p className="empty">{name} has not published a Home tab for you.</p>
        )}
      </section>
    </>
  );
}

function HomeView({ view }: { readonly view: ViewFacts }): ReactNode {
  const session = useSession();
  const keeper = useMemo(() => createKeeper(session, view.id), [session, view.id]);
  const surface = useViewSurface(view, keeper, noErrors);
  return (
    <SurfaceContext value={surface}>
      <Blocks blocks={view.blocks} />
    </SurfaceContext>
  );
}
