import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../state/session.ts';
import { type Autocompletion, autocomplete, type Suggestion } from './autocomplete.ts';

/** Unsent and sent texts of a person in a place. */
export interface Drafts {
  draft: string;
  readonly sent: string[];
}

interface ComposerInput {
  readonly text: string;
  readonly suggestions: readonly Suggestion[];
  /** Index of the suggestion that Enter or Tab inserts. */
  readonly active: number;
  /** Sets the text and the cursor position. */
  setText(text: string, cursor?: number): void;
  moveCursor(cursor: number): void;
  /** Inserts text at the cursor. A space separates it from the text before. */
  insert(piece: string): void;
  accept(suggestion: Suggestion): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface Options {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly drafts: Drafts;
  /** Text that another part of the page inserts. It is inserted once. */
  readonly insertion: { readonly text: string } | undefined;
  submit(): void;
}

/** Manages the composer's text: draft, completions and history. */
export function useComposerInput({ field, drafts, insertion, submit }: Options): ComposerInput {
  const { workspace } = useSession();
  const [text, updateText] = useState(drafts.draft);
  const [cursor, setCursor] = useState(text.length);
  const [isDismissed, setDismissed] = useState(false);
  const [active, setActive] = useState(0);
  const [recalled, setRecalled] = useState(-1);
  const nextCursor = useRef<number>(undefined);
  const lastGiven = useRef<object>(undefined);

  const completion = isDismissed ? undefined : autocomplete(text.slice(0, cursor), workspace);
  const suggestions = completion?.suggestions ?? [];

  function setText(next: string, at = next.length) {
    drafts.draft = next;
    updateText(next);
    setCursor(at);
    setActive(0);
    setDismissed(false);
    nextCursor.current = at;
  }

  useEffect(() => {
    if (!insertion || insertion === lastGiven.current) return;
    lastGiven.current = insertion;
    setText(insertion.text);
    field.current?.focus();
  });

  useLayoutEffect(() => {
    const { current: area } = field;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
    if (nextCursor.current === undefined || area.value !== text) return;
    area.setSelectionRange(nextCursor.current, nextCursor.current);
    nextCursor.current = undefined;
  }, [field, text]);

  function accept(from: Autocompletion['from'], suggestion: Suggestion) {
    const before = `${text.slice(0, from)}${suggestion.text} `;
    setText(before + text.slice(cursor).replace(/^ /, ''), before.length);
    field.current?.focus();
  }

  /** Shows the previous or next text that was sent. Returns whether the key was handled. */
  function recall(step: number): boolean {
    const isRecalled = recalled >= 0 && text === drafts.sent.at(-1 - recalled);
    if (!isRecalled && (text !== '' || step < 0)) return false;
    const next = (isRecalled ? recalled : -1) + step;
    const sent = next < 0 ? '' : drafts.sent.at(-1 - next);
    if (sent === undefined) return true;
    setText(sent);
    setRecalled(next);
    setDismissed(true);
    return true;
  }

  function complete({ key, shiftKey }: KeyboardEvent, { from }: Autocompletion): boolean {
    const move = { ArrowDown: 1, ArrowUp: -1 }[key];
    const suggestion = suggestions[active];
    if (move) setActive((active + move + suggestions.length) % suggestions.length);
    else if (key === 'Escape') setDismissed(true);
    else if (suggestion && !shiftKey && (key === 'Enter' || key === 'Tab')) accept(from, suggestion);
    else return false;
    return true;
  }

  function compose({ key, shiftKey }: KeyboardEvent): boolean {
    if (key === 'ArrowUp') return recall(1);
    if (key === 'ArrowDown') return recall(-1);
    if (key !== 'Enter' || shiftKey) return false;
    submit();
    return true;
  }

  return {
    text,
    suggestions,
    active,
    setText,
    moveCursor: setCursor,
    insert(piece) {
      const before = text.slice(0, cursor);
      const space = before === '' || /\s$/.test(before) ? '' : ' ';
      setText(before + space + piece + text.slice(cursor), cursor + space.length + piece.length);
      field.current?.focus();
    },
    accept: (suggestion) => completion && accept(completion.from, suggestion),
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return;
      const isDone = completion ? complete(event, completion) : compose(event);
      if (isDone) event.preventDefault();
    },
  };
}
