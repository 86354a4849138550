import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { type Panel, panels } from './dock.tsx';
import { humansOf, roleOf } from './names.ts';
import { useSession } from './session.ts';

interface Destination {
  readonly label: string;
  readonly hint: string;
  go(): void;
}

interface Props {
  readonly offered: readonly Panel[];
  show(panel: Panel): void;
  close(): void;
}

/** Finds a place by its name and goes there. */
export function QuickSwitcher({ offered, show, close }: Props): ReactNode {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const all = useDestinations(offered, show);
  const found = all.filter(({ label, hint }) =>
    `${label} ${hint}`.toLowerCase().includes(text.toLowerCase()),
  );

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
          aria-label="Where to"
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
        {found.length === 0 && <p className="empty">There is nothing called “{text}”.</p>}
      </div>
    </Dialog>
  );
}

function useDestinations(offered: readonly Panel[], show: (panel: Panel) => void): readonly Destination[] {
  const { workspace, me, place, go, runShortcut } = useSession();
  const { app, channels, shortcuts, teams } = workspace;
  return [
    ...channels.map(({ id, name }) => ({ label: `# ${name}`, hint: 'channel', go: () => go({ place: id }) })),
    ...(app.home_tab ? [{ label: app.name, hint: 'Home', go: () => go({ place: 'home' }) }] : []),
    { label: app.name, hint: 'direct messages', go: () => go({ place: me.id }) },
    ...shortcuts
      .filter(({ type }) => type === 'global')
      .map(({ name, callback_id: callbackId }) => ({
        label: name,
        hint: `shortcut of ${app.name}`,
        go: () => void runShortcut(callbackId),
      })),
    ...humansOf(workspace).map((person) => ({
      label: person.real_name,
      hint: `be this ${roleOf(person)}`,
      go: () => go({ user: person.id, place: place === me.id ? person.id : place }),
    })),
    ...teams.map(({ id, name }) => ({ label: name, hint: 'workspace', go: () => go({ team: id }) })),
    ...offered.map((panel) => ({ label: panels[panel].label, hint: 'panel', go: () => show(panel) })),
  ];
}
