import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Guide } from './guide/guide.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { useSession } from './session.ts';
import { Trouble } from './trouble/trouble.tsx';

export type Panel = 'guide' | 'inspector' | 'trouble';

/** What the sandbox offers beside the workspace. */
export const panels: Readonly<Record<Panel, { readonly label: string; readonly icon: IconName }>> = {
  guide: { label: 'Guide', icon: 'book' },
  inspector: { label: 'Inspector', icon: 'inspect' },
  trouble: { label: 'Trouble', icon: 'trouble' },
};

interface Props {
  readonly panel: Panel;
  readonly offered: readonly Panel[];
  show(panel: Panel): void;
  close(): void;
}

/** The sandbox's own tools, beside the conversation. */
export function Dock({ panel, offered, show, close }: Props): ReactNode {
  const { control } = useSession();
  const id = useId();

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && offered.at((offered.indexOf(panel) + step) % offered.length);
    if (!next) return;
    event.preventDefault();
    show(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-panel="${next}"]`)?.focus();
  }

  return (
    <aside className="dock" aria-label="Workbench">
      <header className="dock-head">
        <div role="tablist" aria-label="Workbench" onKeyDown={onKeyDown}>
          {offered.map((one) => (
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
        {panel === 'trouble' && <Trouble control={control} />}
      </div>
    </aside>
  );
}
