import { type ReactNode, useEffect, useRef } from 'react';
import type { Suggestion } from './autocomplete.ts';

interface Props {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  choose(offer: Suggestion): void;
}

/** The composer's completions. The focus stays in the field, which refers to the active completion. */
export function SuggestionList({ id, suggestions, active, choose }: Props): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id={id} className="offers" role="listbox" aria-label="Completions">
      {suggestions.map((offer, index) => (
        <div
          key={offer.text}
          id={`${id}-${index}`}
          className="offer"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerDown={(event) => {
            event.preventDefault();
            choose(offer);
          }}
        >
          <strong>{offer.text}</strong>
          <span>{offer.label}</span>
          <small>{offer.hint}</small>
        </div>
      ))}
    </div>
  );
}
