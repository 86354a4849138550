import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Blocks } from '../block-kit/blocks.tsx';
import { SurfaceContext } from '../block-kit/surface.ts';
import { Dialog } from '../components/dialog.tsx';
import type { SubmitResult, ViewData } from '../state/control-api.ts';
import { errorMessage } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { createPendingInputs, type PendingInputs, useViewSurface } from './use-surfaces.ts';

/** A person's modal, of which the top view is shown. What was typed into the views below is kept. */
export function Modals({ stack }: { readonly stack: readonly ViewData[] }): ReactNode {
  const session = useSession();
  const { control, me, notify } = session;
  const [isBusy, setBusy] = useState(false);
  const keepers = useRef(new Map<string, PendingInputs>());
  const view = stack.at(-1);

  useEffect(() => {
    const open = new Set(stack.map(({ id }) => id));
    for (const id of keepers.current.keys()) if (!open.has(id)) keepers.current.delete(id);
  }, [stack]);

  if (!view) return null;

  function keeperOf(id: string): PendingInputs {
    const keeper = keepers.current.get(id) ?? createPendingInputs(session, id);
    keepers.current.set(id, keeper);
    return keeper;
  }

  const close = () =>
    control
      .post('close', { user: me.id, view: view.id })
      .catch((error: unknown) => notify(errorMessage(error)))
      .then(() => {});

  return (
    <Dialog title={view.title?.text ?? ''} className="modal" isBusy={isBusy} onClose={() => void close()}>
      <ModalForm
        key={view.id}
        view={view}
        pendingInputs={keeperOf(view.id)}
        isStacked={stack.length > 1}
        isBusy={isBusy}
        setBusy={setBusy}
        close={close}
      />
    </Dialog>
  );
}

interface FormProps {
  readonly view: ViewData;
  readonly pendingInputs: PendingInputs;
  readonly isStacked: boolean;
  readonly isBusy: boolean;
  setBusy(isBusy: boolean): void;
  close(): Promise<void>;
}

const noErrors: Readonly<Record<string, string>> = {};

function ModalForm({ view, pendingInputs, isStacked, isBusy, setBusy, close }: FormProps): ReactNode {
  const { control, me } = useSession();
  const [errors, setErrors] = useState(noErrors);
  const [failure, setFailure] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const surface = useViewSurface(view, pendingInputs, errors);

  useEffect(() => {
    const { current: shown } = form;
    if (!shown || shown.contains(document.activeElement)) return;
    const fields = shown.querySelector<HTMLElement>(
      '.modal-body :is(input, textarea, select, [role="combobox"])',
    );
    (fields ?? shown.querySelector<HTMLElement>('footer .primary, footer button'))?.focus({
      preventScroll: true,
    });
  }, []);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy || !view.submit) return;
    setBusy(true);
    setFailure('');
    setErrors(noErrors);
    try {
      const values = pendingInputs.values(view.blocks);
      const answer = await control.post<SubmitResult>('submit', { user: me.id, view: view.id, values });
      setErrors(answer.errors ?? noErrors);
      setFailure(answer.error ?? '');
    } catch (error) {
      setFailure(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  }

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown}>
      <div className="modal-body">
        <SurfaceContext value={surface}>
          <Blocks blocks={view.blocks} />
        </SurfaceContext>
      </div>
      {failure && (
        <p className="modal-failure" role="alert">
          {failure}
        </p>
      )}
      <footer className="dialog-foot">
        <button type="button" onClick={() => void close()}>
          {view.close?.text ?? (isStacked ? 'Back' : 'Cancel')}
        </button>
        {view.submit && (
          <button type="submit" className="primary" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" aria-hidden="true" />}
            {view.submit.text}
          </button>
        )}
      </footer>
    </form>
  );
}
