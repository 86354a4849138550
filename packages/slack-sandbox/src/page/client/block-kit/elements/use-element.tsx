import type { ConfirmationDialog } from '@slack/types';
import { type ReactNode, useRef, useState } from 'react';
import { useSurface } from '../surface.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { ElementProps, ElementValue } from './element-props.ts';

interface ActionElement {
  readonly action_id?: string;
  readonly confirm?: ConfirmationDialog;
}

/** An element's state and actions. */
export interface ElementHandle {
  /** The element's value in `state.values`. */
  readonly state: Readonly<Record<string, unknown>> | undefined;
  /** Whether the app still has to acknowledge the action. */
  readonly isPending: boolean;
  /**
   * Sends the action to the app, after a confirmation if the element requires one. Returns whether
   * the action was sent.
   */
  trigger(value?: unknown): Promise<boolean>;
  /**
   * Sets the element's value. In a form, the value is stored for the submission. Elsewhere, it is
   * sent as an action.
   */
  select(answer: ElementValue): Promise<boolean>;
  /** Sets an input's value without notifying the app, even with `dispatch_action`. */
  setInput(answer: ElementValue): void;
  /** Whether the value is sent on submission rather than as an action. */
  readonly isFormInput: boolean;
  /** The confirmation dialog and the error that are shown beside the element. */
  readonly feedback: ReactNode;
}

/** Connects an element to its surface. */
export function useElement({ element, blockId, input }: ElementProps<ActionElement>): ElementHandle {
  const surface = useSurface();
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [ask, setAsk] = useState<((isAgreed: boolean) => void) | undefined>();
  const isAsking = useRef(false);
  const { action_id: actionId = '', confirm } = element;
  const isFormInput = input !== undefined && !input.isDispatching;

  async function isAgreed(): Promise<boolean> {
    if (!confirm) return true;
    if (isAsking.current) return false;
    isAsking.current = true;
    const answer = await new Promise<boolean>((resolve) => setAsk(() => resolve));
    isAsking.current = false;
    setAsk(undefined);
    return answer;
  }

  async function trigger(value?: unknown): Promise<boolean> {
    if (!(await isAgreed())) return false;
    setProblem(undefined);
    setPending((count) => count + 1);
    try {
      await surface.sendAction(blockId, actionId, value);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setPending((count) => count - 1);
    }
    return true;
  }

  function setInput(answer: ElementValue): void {
    surface.setInput(blockId, actionId, { ...answer, isForSubmitOnly: !isFormInput });
  }

  async function select(answer: ElementValue): Promise<boolean> {
    if (!isFormInput) return trigger(answer.value);
    setInput(answer);
    return true;
  }

  const held = surface.values[blockId]?.[actionId];
  const feedback = (
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
    state: typeof held === 'object' && held !== null ? { ...held } : undefined,
    isPending: pending > 0,
    isFormInput,
    trigger,
    select,
    setInput,
    feedback,
  };
}

/**
 * Manages a value that changes both here and on the server. Changes on the server are applied,
 * unless `isOwn` was set to say that the local value is newer.
 */
export function useServerValue<Value>(
  served: Value,
): [Value, (value: Value) => void, (isOwn: boolean) => void] {
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
