import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

const displayMs = { trouble: 9000, note: 5000 };

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'trouble' | 'note';
}

interface Props {
  readonly toasts: readonly Toast[];
  dismiss(id: number): void;
}

/** Notifications for errors and hints that aren't in a message. They are shown above dialogs too. */
export function Toasts({ toasts, dismiss }: Props): ReactNode {
  const layer = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.id;

  useEffect(() => {
    const shown = layer.current;
    if (newest === undefined || !shown) return;
    shown.hidePopover();
    shown.showPopover();
  }, [newest]);

  return (
    <div ref={layer} className="toasts" role="status" popover="manual">
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} dismiss={dismiss} />
      ))}
    </div>
  );
}

function ToastItem({ toast, dismiss }: { readonly toast: Toast; dismiss(id: number): void }): ReactNode {
  const { id, kind, text } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), displayMs[kind]);
    return () => clearTimeout(timer);
  }, [dismiss, id, kind]);
  return (
    <div className={`toast ${kind}`}>
      <Icon name={kind === 'trouble' ? 'trouble' : 'message'} />
      <span>{text}</span>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
