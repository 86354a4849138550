import type { ConfirmationDialog } from '@slack/types';
import { type ReactNode, useRef, useState } from 'react';
import { useSurface } from '../surface.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { Answer, Placed } from './placed.ts';

interface Usable {
  readonly action_id?: string;
  readonly confirm?: ConfirmationDialog;
}

/** How an element is used, and what to show of it. */
export interface ElementUse {
  /** What `state.values` holds for the element. */
  readonly held: Readonly<Record<string, unknown>> | undefined;
  /** The app has not acknowledged yet. */
  readonly isPending: boolean;
  /** Asks for confirmation where the element wants it, and tells the app. Answers whether it was sent. */
  use(value?: unknown): Promise<boolean>;
  /** Takes over what stands in the element: an input keeps it for the submit, elsewhere it is used. */
  choose(answer: Answer): Promise<boolean>;
  /** Takes over what stands in an input without telling the app, whether it dispatches or not. */
  keep(answer: Answer): void;
  /** What stands in it goes with a submit, not with a click of its own. */
  readonly isKept: boolean;
  /** The confirmation dialog, and what went wrong; to be shown beside the element. */
  readonly beside: ReactNode;
}

/** Connects an element with its surface. */
export function useElement({ element, blockId, input }: Placed<Usable>): ElementUse {
  const surface = useSurface();
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [ask, setAsk] = useState<((isAgreed: boolean) => void) | undefined>();
  const isAsking = useRef(false);
  const { action_id: actionId = '', confirm } = element;
  const isKept = input !== undefined && !input.isDispatching;

  async function isAgreed(): Promise<boolean> {
    if (!confirm) return true;
    if (isAsking.current) return false;
    isAsking.current = true;
    const answer = await new Promise<boolean>((resolve) => setAsk(() => resolve));
    isAsking.current = false;
    setAsk(undefined);
    return answer;
  }

  async function use(value?: unknown): Promise<boolean> {
    if (!(await isAgreed())) return false;
    setProblem(undefined);
    setPending((count) => count + 1);
    try {
      await surface.act(blockId, actionId, value);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setPending((count) => count - 1);
    }
    return true;
  }

  function keep(answer: Answer): void {
    surface.keep(blockId, actionId, { ...answer, isForSubmitOnly: !isKept });
  }

  async function choose(answer: Answer): Promise<boolean> {
    if (!isKept) return use(answer.value);
    keep(answer);
    return true;
  }

  const held = surface.values[blockId]?.[actionId];
  const beside = (
    <>
      {confirm && ask && <ConfirmDialog confirm={confirm} onAnswer={ask} />}
      {problem !== undefined && (
        <span className="kit-problem" role="alert">
          <span aria-hidden="true">⚠</span> {problem}
        </span>
      )}
    </>
  );
  return {
    held: typeof held === 'object' && held !== null ? { ...held } : undefined,
    isPending: pending > 0,
    isKept,
    use,
    choose,
    keep,
    beside,
  };
}

/**
 * A value that is changed here and at the server. The server's changes are taken over unless `isOwn` says that what
 * stands here is newer.
 */
export function useHeld<Value>(served: Value): [Value, (value: Value) => void, (isOwn: boolean) => void] {
  const written = JSON.stringify(served);
  const [value, setValue] = useState(served);
  const [seen, setSeen] = useState(written);
  const [isOwn, setIsOwn] = useState(false);
  if (written !== seen) {
    setSeen(written);
    if (!isOwn) setValue(served);
  }
  return [value, setValue, setIsOwn];
}
