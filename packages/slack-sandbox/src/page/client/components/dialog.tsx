import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  readonly title: string;
  readonly className?: string;
  readonly isBusy?: boolean;
  /** Called on Escape, on a click on the close button, and on a click outside. */
  onClose(): void;
  readonly children: ReactNode;
}

/** A modal dialog. The focus stays inside, and returns to where it was when the dialog closes. */
export function Dialog({ title, className, isBusy, onClose, children }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Without this, the close button would have the focus.
    opened?.querySelector<HTMLElement>('[data-first]')?.focus();
    // The browser restores the focus when the dialog closes.
    return () => opened?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      aria-busy={isBusy}
      onCancel={(event) => {
        // Selects and file pickers in the dialog fire `cancel` too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // Browsers close the dialog when Escape is pressed twice, even if the event is prevented.
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
