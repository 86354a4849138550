import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

const groups: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Anywhere: [
    ['Ctrl K', 'Go to a channel, person, shortcut or panel'],
    ['?', 'Show this'],
    ['F6', 'Go on to the next part of the page'],
    ['Esc', 'Close what is on top: a menu, a dialog, the thread'],
  ],
  'In the composer': [
    ['/ @ #', 'Complete a command, a person, a channel'],
    ['↑ ↓ Tab Enter', 'Choose a completion'],
    ['Enter', 'Send'],
    ['Shift Enter', 'Begin a new line'],
    ['↑', 'Bring back what was sent, where nothing is typed'],
  ],
  'In messages': [
    ['↑ ↓ Home End', 'Go from message to message'],
    ['Tab', 'Go to its buttons, menus and links'],
    ['T', 'Open its thread'],
    ['M', 'Open its menu: shortcuts, copy link, copy as JSON'],
  ],
  'In a modal': [
    ['Ctrl Enter', 'Submit'],
    ['Esc', 'Close, or go back'],
  ],
};

/** Lists what the keyboard does. */
export function KeyboardHelp({ close }: { close(): void }): ReactNode {
  return (
    <Dialog title="Keyboard" className="keyboard-help" onClose={close}>
      <div className="dialog-body">
        {Object.entries(groups).map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
