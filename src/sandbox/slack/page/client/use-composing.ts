import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Completion, completionOf, type Offer } from './completion.ts';
import { useSession } from './session.ts';

/** What was typed and not sent, and what was sent, for the place and the person. */
export interface Drafts {
  draft: string;
  readonly sent: string[];
}

interface Composing {
  readonly text: string;
  readonly offers: readonly Offer[];
  /** Index of the offer that Enter and Tab take. */
  readonly active: number;
  /** Takes what stands in the field, and where the cursor is. */
  write(text: string, cursor?: number): void;
  moveCursor(cursor: number): void;
  /** Adds a piece at the cursor, apart from what stands before it. */
  insert(piece: string): void;
  accept(offer: Offer): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface Options {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly drafts: Drafts;
  /** Words that came from elsewhere on the page; each is taken over once. */
  readonly given: { readonly text: string } | undefined;
  submit(): void;
}

/** Keeps what is being typed: its draft, what completes it, and what was sent before. */
export function useComposing({ field, drafts, given, submit }: Options): Composing {
  const { workspace } = useSession();
  const [text, setText] = useState(drafts.draft);
  const [cursor, setCursor] = useState(text.length);
  const [isDismissed, setDismissed] = useState(false);
  const [active, setActive] = useState(0);
  const [recalled, setRecalled] = useState(-1);
  const nextCursor = useRef<number>(undefined);
  const lastGiven = useRef<object>(undefined);

  const completion = isDismissed ? undefined : completionOf(text.slice(0, cursor), workspace);
  const offers = completion?.offers ?? [];

  function write(next: string, at = next.length) {
    drafts.draft = next;
    setText(next);
    setCursor(at);
    setActive(0);
    setDismissed(false);
    nextCursor.current = at;
  }

  useEffect(() => {
    if (!given || given === lastGiven.current) return;
    lastGiven.current = given;
    write(given.text);
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

  function accept(from: Completion['from'], offer: Offer) {
    const before = `${text.slice(0, from)}${offer.text} `;
    write(before + text.slice(cursor).replace(/^ /, ''), before.length);
    field.current?.focus();
  }

  /** Shows what was sent one earlier or later; answers whether the key meant that. */
  function recall(step: number): boolean {
    const isRecalled = recalled >= 0 && text === drafts.sent.at(-1 - recalled);
    if (!isRecalled && (text !== '' || step < 0)) return false;
    const next = (isRecalled ? recalled : -1) + step;
    const sent = next < 0 ? '' : drafts.sent.at(-1 - next);
    if (sent === undefined) return true;
    write(sent);
    setRecalled(next);
    setDismissed(true);
    return true;
  }

  function complete({ key, shiftKey }: KeyboardEvent, { from }: Completion): boolean {
    const move = { ArrowDown: 1, ArrowUp: -1 }[key];
    const offer = offers[active];
    if (move) setActive((active + move + offers.length) % offers.length);
    else if (key === 'Escape') setDismissed(true);
    else if (offer && !shiftKey && (key === 'Enter' || key === 'Tab')) accept(from, offer);
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
    offers,
    active,
    write,
    moveCursor: setCursor,
    insert(piece) {
      const before = text.slice(0, cursor);
      const space = before === '' || /\s$/.test(before) ? '' : ' ';
      write(before + space + piece + text.slice(cursor), cursor + space.length + piece.length);
      field.current?.focus();
    },
    accept: (offer) => completion && accept(completion.from, offer),
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return;
      const isDone = completion ? complete(event, completion) : compose(event);
      if (isDone) event.preventDefault();
    },
  };
}
