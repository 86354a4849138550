import { type ReactNode, useEffect, useMemo } from 'react';
import { Blocks } from '../block-kit/blocks.tsx';
import { SurfaceContext } from '../block-kit/surface.ts';
import type { ActionResult, ViewData } from '../state/control-api.ts';
import { explainSlackError } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { AppTabs } from './app-tabs.tsx';
import { createPendingInputs, useViewSurface } from './use-surfaces.ts';

const noErrors = {};

/** The app's Home tab. Opening it notifies the app. */
export function Home({ view }: { readonly view: ViewData | null }): ReactNode {
  const { control, me, workspace, runAndNotify } = useSession();
  const { id: app, name } = workspace.app;

  useEffect(() => {
    const opened = control.post<ActionResult>('home', { user: me.id, app });
    void runAndNotify(opened.then(({ error }) => (error ? { error: explainSlackError(error, name) } : {})));
  }, [control, me, app, name, runAndNotify]);

  return (
    <>
      <header className="pane-head">
        <h2 tabIndex={-1}>{name}</h2>
        <AppTabs />
      </header>
      <section className="home" aria-label="Home tab">
        {view ? (
          <HomeBlocks key={view.id} view={view} />
        ) : (
          <p className="empty">{name} has not published a Home tab for you.</p>
        )}
      </section>
    </>
  );
}

function HomeBlocks({ view }: { readonly view: ViewData }): ReactNode {
  const session = useSession();
  const keeper = useMemo(() => createPendingInputs(session, view.id), [session, view.id]);
  const surface = useViewSurface(view, keeper, noErrors);
  return (
    <SurfaceContext value={surface}>
      <Blocks blocks={view.blocks} />
    </SurfaceContext>
  );
}
