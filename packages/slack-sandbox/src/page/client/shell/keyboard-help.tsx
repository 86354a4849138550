import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';

const shortcutGroups: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Anywhere: [
    ['Ctrl K', 'Go to a channel, person, shortcut or panel'],
    ['?', 'Show this help'],
    ['F6', 'Go to the next part of the page'],
    ['Esc', 'Close the topmost menu, dialog or thread'],
  ],
  'In the composer': [
    ['/ @ #', 'Autocomplete a command, person or channel'],
    ['↑ ↓ Tab Enter', 'Choose a completion'],
    ['Enter', 'Send'],
    ['Shift Enter', 'Start a new line'],
    ['↑', 'Recall what you sent, if the field is empty'],
  ],
  'In messages': [
    ['↑ ↓ Home End', 'Go from message to message'],
    ['Tab', 'Move through the buttons, menus and links of a message'],
    ['T', 'Open its thread'],
    ['M', 'Open its menu: shortcuts, copy link, copy as JSON'],
  ],
  'In a modal': [
    ['Ctrl Enter', 'Submit'],
    ['Esc', 'Close, or go back'],
  ],
};

/** Lists the keyboard shortcuts. */
export function KeyboardHelp({ close }: { close(): void }): ReactNode {
  return (
    <Dialog title="Keyboard" className="keyboard-help" onClose={close}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access */}
      <div className="dialog-body" tabIndex={0}>
        {Object.entries(shortcutGroups).map(([title, keys]) => (
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
