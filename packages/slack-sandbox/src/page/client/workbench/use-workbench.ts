import { useEffect, useState } from 'react';
import { useSession } from '../state/session.ts';
import type { WorkbenchPanel } from './workbench.tsx';

const storageKey = 'panel';
const allPanels: readonly WorkbenchPanel[] = ['guide', 'inspector', 'trouble', 'steps', 'tools'];
/** At this width, a panel that opens by itself covers nothing. */
const wideScreenQuery = '(min-width: 64rem)';

interface WorkbenchState {
  readonly panel: WorkbenchPanel | undefined;
  /** The panels that can be opened: the guide if the sandbox has one, steps and tools if an app offers some. */
  readonly availablePanels: readonly WorkbenchPanel[];
  show(panel: WorkbenchPanel): void;
  toggle(panel: WorkbenchPanel): void;
  close(): void;
}

/** Manages which panel is open. On the first visit, it is the guide if there is enough room. */
export function useWorkbench(): WorkbenchState {
  const { control, workspace } = useSession();
  const [panel, setPanel] = useState<WorkbenchPanel | undefined>(() =>
    parsePanel(localStorage.getItem(storageKey)),
  );
  const [hasGuide, setHasGuide] = useState(false);

  useEffect(() => {
    control.get<{ steps: readonly unknown[] }>('guide').then(
      ({ steps }) => {
        setHasGuide(steps.length > 0);
        const isFirstVisit = localStorage.getItem(storageKey) === null;
        if (steps.length > 0 && isFirstVisit && matchMedia(wideScreenQuery).matches) setPanel('guide');
      },
      () => setHasGuide(false),
    );
  }, [control]);

  function storePanel(next: WorkbenchPanel | undefined) {
    localStorage.setItem(storageKey, next ?? 'none');
    setPanel(next);
  }

  const availablePanels: readonly WorkbenchPanel[] = [
    ...(hasGuide ? (['guide'] as const) : []),
    'inspector',
    'trouble',
    ...(workspace.functions.length > 0 ? (['steps'] as const) : []),
    ...(workspace.mcp_servers.length > 0 ? (['tools'] as const) : []),
  ];
  return {
    panel: panel && availablePanels.includes(panel) ? panel : undefined,
    availablePanels,
    show: storePanel,
    toggle: (one) => storePanel(one === panel ? undefined : one),
    close: () => storePanel(undefined),
  };
}

function parsePanel(text: string | null): WorkbenchPanel | undefined {
  return allPanels.find((panel) => panel === text);
}
