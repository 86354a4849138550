import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { appPlacesOf } from '../state/app-places.ts';
import { describeRole, listHumans } from '../state/display-names.ts';
import { useSession } from '../state/session.ts';
import { panels, type WorkbenchPanel } from '../workbench/workbench.tsx';

/** How many places are listed. */
const maxListed = 50;

interface Destination {
  readonly label: string;
  readonly hint: string;
  go(): void;
}

interface Props {
  readonly availablePanels: readonly WorkbenchPanel[];
  show(panel: WorkbenchPanel): void;
  focusComposer(): void;
  close(): void;
}

/** Finds a place by name and opens it. */
export function QuickSwitcher({ availablePanels, show, focusComposer, close }: Props): ReactNode {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const all = useDestinations(availablePanels, show, focusComposer);
  const matching = all.filter(({ label, hint }) =>
    `${label} ${hint}`.toLowerCase().includes(text.toLowerCase()),
  );
  const found = matching.slice(0, maxListed);

  function choose(destination: Destination | undefined) {
    if (!destination) return;
    close();
    destination.go();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter') choose(found[active]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title="Go to" className="quick-switcher" onClose={close}>
      <div className="dialog-body">
        <input
          data-first
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
          placeholder="Channel, person, shortcut or panel"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} role="listbox" aria-label="Places">
          {found.map((destination, index) => (
            <div
              key={`${destination.label} ${destination.hint}`}
              id={`${id}-${index}`}
              className="offer"
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onPointerUp={() => choose(destination)}
            >
              <strong>{destination.label}</strong>
              <small>{destination.hint}</small>
            </div>
          ))}
        </div>
        {matching.length > found.length && (
          <p className="empty">{matching.length - found.length} more: type a longer name.</p>
        )}
        {found.length === 0 && <p className="empty">No results for “{text}”.</p>}
      </div>
    </Dialog>
  );
}

function useDestinations(
  availablePanels: readonly WorkbenchPanel[],
  show: (panel: WorkbenchPanel) => void,
  focusComposer: () => void,
): readonly Destination[] {
  const { workspace, me, place, navigate, runShortcut } = useSession();
  const { apps, channels, shortcuts, teams } = workspace;
  const converse = (place: string) => {
    navigate({ place });
    focusComposer();
  };
  return [
    ...channels.map(({ id, name }) => ({
      label: `# ${name}`,
      hint: 'channel',
      go: () => converse(id),
    })),
    ...apps.flatMap((app) => {
      const { home, messages } = appPlacesOf(app, me.id);
      return [
        ...(app.home_tab ? [{ label: app.name, hint: 'Home', go: () => navigate({ place: home }) }] : []),
        { label: app.name, hint: 'direct messages', go: () => converse(messages) },
      ];
    }),
    ...shortcuts
      .filter(({ type }) => type === 'global')
      .map(({ name, callback_id: callbackId, app }) => ({
        label: name,
        hint: `shortcut of ${app}`,
        go: () => void runShortcut(callbackId),
      })),
    ...listHumans(workspace).map((person) => ({
      label: person.real_name,
      hint: `act as this ${describeRole(person)}`,
      go: () => navigate({ user: person.id, place: place === me.id ? person.id : place }),
    })),
    ...teams.map(({ id, name }) => ({ label: name, hint: 'workspace', go: () => navigate({ team: id }) })),
    ...availablePanels.map((panel) => ({ label: panels[panel].label, hint: 'panel', go: () => show(panel) })),
  ];
}
