import { type ChangeEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Choice } from './choices.ts';
import { type ChoiceSource, useChoiceResults } from './use-choice-results.ts';

export interface ComboboxOptions {
  readonly isMultiple: boolean;
  /** Maximum number of choices that can be selected. */
  readonly max: number;
  readonly chosen: readonly Choice[];
  readonly source: ChoiceSource;
  onChange(chosen: readonly Choice[]): void;
}

/** Manages the text, the active choice and the keys of a menu. */
export function useCombobox({ isMultiple, max, chosen, source, onChange }: ComboboxOptions) {
  const [isOpen, setIsOpen] = useState(false);
  /** Undefined until something was typed. In the meantime, the field shows the current choice. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const found = useChoiceResults(source, typed ?? '', isOpen);
  const choices = found.groups.flatMap((group) => group.choices);
  // Once something was typed, the first result is active by default.
  const current = active === -1 && typed ? 0 : active;
  const isFull = isMultiple && chosen.length >= max;
  const isChosen = ({ value }: Choice) => chosen.some((one) => one.value === value);
  const optionId = (index: number) => `${listId}-${index}`;

  function open() {
    if (isOpen) return;
    setIsOpen(true);
    setTyped(undefined);
    setActive(isMultiple ? -1 : choices.findIndex(isChosen));
    if (!isMultiple) input.current?.select();
  }

  function close() {
    setIsOpen(false);
    setTyped(undefined);
    setActive(-1);
  }

  /** Closes the list. If the text of a single-choice menu was emptied, this clears the choice. */
  function leave() {
    if (!isOpen) return;
    if (!isMultiple && typed === '' && chosen.length > 0) onChange([]);
    close();
  }

  function pick(choice: Choice) {
    input.current?.focus();
    if (!isMultiple) {
      close();
      onChange([choice]);
    } else if (isChosen(choice)) drop(choice);
    else if (!isFull) {
      setTyped(undefined);
      setActive(choices.indexOf(choice));
      onChange([...chosen, choice]);
    }
  }

  function drop(choice: Choice) {
    input.current?.focus();
    onChange(chosen.filter(({ value }) => value !== choice.value));
  }

  function clear() {
    input.current?.focus();
    close();
    onChange([]);
  }

  function move(to: (last: number) => number) {
    if (!isOpen) open();
    else if (choices.length > 0) setActive(to(choices.length - 1));
    return true;
  }

  /** Handlers by key. A handler returns true if it has handled the key. */
  const keys: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => move((last) => (current >= last ? 0 : current + 1)),
    ArrowUp: () => move((last) => (current <= 0 ? last : current - 1)),
    PageDown: () => isOpen && move((last) => Math.min(last, current + 10)),
    PageUp: () => isOpen && move(() => Math.max(0, current - 10)),
    Enter() {
      if (!isOpen) return false;
      const choice = choices[current] ?? (choices.length === 1 ? choices[0] : undefined);
      if (choice) pick(choice);
      return true;
    },
    Escape() {
      if (!isOpen) return false;
      close();
      return true;
    },
    Backspace() {
      const last = chosen.at(-1);
      if (!isMultiple || typed || !last) return false;
      drop(last);
      return true;
    },
  };

  const field = {
    ref: input,
    value: typed ?? (isMultiple ? '' : (chosen[0]?.label ?? '')),
    onClick: open,
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      setIsOpen(true);
      setTyped(target.value);
      setActive(-1);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.nativeEvent.isComposing || !keys[event.key]?.()) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };

  const activeId = isOpen && choices[current] ? optionId(current) : undefined;
  return {
    isOpen,
    isFull,
    max,
    listId,
    activeId,
    field,
    found,
    optionId,
    isChosen,
    pick,
    drop,
    clear,
    leave,
  };
}
