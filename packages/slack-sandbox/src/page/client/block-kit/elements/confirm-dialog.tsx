import type { ConfirmationDialog } from '@slack/types';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { PlainText, TextView } from '../markup/text.tsx';

interface ConfirmDialogProps {
  readonly confirm: ConfirmationDialog;
  onAnswer(isAgreed: boolean): void;
}

/**
 * Shows a confirmation dialog. The dialog is modal: the focus starts at the button that changes
 * nothing, stays inside, and then returns to where it was.
 */
export function ConfirmDialog({ confirm, onAnswer }: ConfirmDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  const style = confirm.style === 'danger' ? 'kit-danger-solid' : 'kit-primary';

  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  return createPortal(
    <dialog
      ref={dialog}
      className="kit-confirm"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onAnswer(false);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape') return;
        // Browsers close the dialog when Escape is pressed twice, even if `cancel` is prevented.
        event.preventDefault();
        onAnswer(false);
      }}
      onSubmit={(event) => event.stopPropagation()}
    >
      <h2 id={titleId}>
        <PlainText text={confirm.title ?? { type: 'plain_text', text: 'Are you sure?' }} />
      </h2>
      <div id={textId} className="kit-text">
        <TextView text={confirm.text} />
      </div>
      <div className="kit-confirm-buttons">
        <button type="button" className="kit-button" onClick={() => onAnswer(false)}>
          <PlainText text={confirm.deny ?? { type: 'plain_text', text: 'Cancel' }} />
        </button>
        <button type="button" className={`kit-button ${style}`} onClick={() => onAnswer(true)}>
          <PlainText text={confirm.confirm ?? { type: 'plain_text', text: 'Yes' }} />
        </button>
      </div>
    </dialog>,
    document.body,
  );
}
