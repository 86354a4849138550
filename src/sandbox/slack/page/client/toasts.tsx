import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

const shownForMs = { trouble: 9000, note: 5000 };

export interface Toast {
  readonly id: number;
  readonly words: string;
  readonly kind: 'trouble' | 'note';
}

interface Props {
  readonly toasts: readonly Toast[];
  dismiss(id: number): void;
}

/** What went wrong or what a person should know, where no message tells it; above dialogs too. */
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
        <ToastLine key={toast.id} toast={toast} dismiss={dismiss} />
      ))}
    </div>
  );
}

function ToastLine({ toast, dismiss }: { readonly toast: Toast; dismiss(id: number): void }): ReactNode {
  const { id, kind, words } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), shownForMs[kind]);
    return () => clearTimeout(timer);
  }, [dismiss, id, kind]);
  return (
    <div className={`toast ${kind}`}>
      <Icon name={kind === 'trouble' ? 'trouble' : 'message'} />
      <span>{words}</span>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
