import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Icon, type IconName } from '../components/icon.tsx';
import { useSession } from '../state/session.ts';
import { FaultsPanel } from './faults/faults-panel.tsx';
import { Guide } from './guide/guide.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { StepsPanel } from './steps/steps-panel.tsx';
import { ToolsPanel } from './tools/tools-panel.tsx';

export type WorkbenchPanel = 'guide' | 'inspector' | 'trouble' | 'steps' | 'tools';

/** The sandbox's panels. */
export const panels: Readonly<Record<WorkbenchPanel, { readonly label: string; readonly icon: IconName }>> = {
  guide: { label: 'Guide', icon: 'book' },
  inspector: { label: 'Inspector', icon: 'inspect' },
  trouble: { label: 'Faults', icon: 'trouble' },
  steps: { label: 'Steps', icon: 'bolt' },
  tools: { label: 'Tools', icon: 'link' },
};

interface Props {
  readonly panel: WorkbenchPanel;
  readonly availablePanels: readonly WorkbenchPanel[];
  show(panel: WorkbenchPanel): void;
  close(): void;
}

/** The sandbox's own tools, beside the conversation. */
export function Workbench({ panel, availablePanels, show, close }: Props): ReactNode {
  const { control } = useSession();
  const id = useId();

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && availablePanels.at((availablePanels.indexOf(panel) + step) % availablePanels.length);
    if (!next) return;
    event.preventDefault();
    show(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-panel="${next}"]`)?.focus();
  }

  return (
    <aside className="dock" aria-label="Workbench">
      <header className="dock-head">
        <div role="tablist" aria-label="Workbench" onKeyDown={onKeyDown}>
          {availablePanels.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`${id}-${one}`}
              data-panel={one}
              aria-selected={one === panel}
              aria-controls={`${id}-panel`}
              tabIndex={one === panel ? 0 : -1}
              onClick={() => show(one)}
            >
              {panels[one].label}
            </button>
          ))}
        </div>
        <button type="button" className="icon-button" aria-label="Close workbench" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div id={`${id}-panel`} className="dock-panel" role="tabpanel" aria-labelledby={`${id}-${panel}`}>
        {panel === 'guide' && <Guide control={control} />}
        {panel === 'inspector' && <Inspector control={control} />}
        {panel === 'trouble' && <FaultsPanel control={control} />}
        {panel === 'steps' && <StepsPanel />}
        {panel === 'tools' && <ToolsPanel />}
      </div>
    </aside>
  );
}
