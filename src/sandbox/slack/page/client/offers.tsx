import { type ReactNode, useEffect, useRef } from 'react';
import type { Offer } from './completion.ts';

interface Props {
  readonly id: string;
  readonly offers: readonly Offer[];
  readonly active: number;
  choose(offer: Offer): void;
}

/** What the composer offers to write. The focus stays in the field, which names the active one. */
export function Offers({ id, offers, active, choose }: Props): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id={id} className="offers" role="listbox" aria-label="Completions">
      {offers.map((offer, index) => (
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
