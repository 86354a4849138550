import { useEffect, useState } from 'react';
import type { Panel } from './dock.tsx';
import { useSession } from './session.ts';

const key = 'panel';
/** Where a panel that nobody asked for hides nothing. */
const room = '(min-width: 64rem)';

interface DockState {
  readonly panel: Panel | undefined;
  /** The panels that there are: a guide only where the sandbox has one. */
  readonly offered: readonly Panel[];
  show(panel: Panel): void;
  toggle(panel: Panel): void;
  close(): void;
}

/** Which of the sandbox's panels is open. The guide is, on the first visit, where there is room for it. */
export function useDock(): DockState {
  const { control } = useSession();
  const [panel, setPanel] = useState<Panel | undefined>(() => panelNamed(localStorage.getItem(key)));
  const [hasGuide, setHasGuide] = useState(false);

  useEffect(() => {
    control.get<{ steps: readonly unknown[] }>('guide').then(
      ({ steps }) => {
        setHasGuide(steps.length > 0);
        const isFirstVisit = localStorage.getItem(key) === null;
        if (steps.length > 0 && isFirstVisit && matchMedia(room).matches) setPanel('guide');
      },
      () => setHasGuide(false),
    );
  }, [control]);

  function keep(next: Panel | undefined) {
    localStorage.setItem(key, next ?? 'none');
    setPanel(next);
  }

  const tools = ['inspector', 'trouble'] as const;
  return {
    panel: panel === 'guide' && !hasGuide ? undefined : panel,
    offered: hasGuide ? ['guide', ...tools] : tools,
    show: keep,
    toggle: (one) => keep(one === panel ? undefined : one),
    close: () => keep(undefined),
  };
}

function panelNamed(text: string | null): Panel | undefined {
  return text === 'guide' || text === 'inspector' || text === 'trouble' ? text : undefined;
}
