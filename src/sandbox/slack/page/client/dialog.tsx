import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  readonly title: string;
  readonly className?: string;
  readonly isBusy?: boolean;
  /** Escape, the cross and a press beside the dialog. */
  onClose(): void;
  readonly children: ReactNode;
}

/** A modal dialog: the rest of the page waits, the keyboard stays in it, and goes back to where it was. */
export function Dialog({ title, className, isBusy, onClose, children }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Else the cross would have the focus.
    opened?.querySelector<HTMLElement>('[data-first]')?.focus();
    // The browser gives the focus back as it closes.
    return () => opened?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      aria-busy={isBusy}
      onCancel={(event) => {
        // A select or a file's picker within cancels too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // Browsers close at a second Escape whatever the page says.
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        }
        event.stopPropagation();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
