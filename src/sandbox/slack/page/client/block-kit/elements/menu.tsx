import type { ReactNode } from 'react';
import type { Choice } from '../combobox/choices.ts';
import { Combobox } from '../combobox/combobox.tsx';
import { useSurface } from '../surface.ts';
import { chosenIn, type Menu, menuFacts, menuSource } from './menu-source.ts';
import { controlProps, type Placed } from './placed.ts';
import { useElement, useHeld } from './use-element.tsx';

/** A select menu of any kind, for one choice or several. */
export function MenuView(placed: Placed<Menu>): ReactNode {
  const { element, blockId, input } = placed;
  const surface = useSurface();
  const { held, isPending, isKept, choose, beside } = useElement(placed);
  const { field, initial, isMultiple } = menuFacts(element);
  const served = chosenIn(element, held ? held[field] : initial, surface);
  const [chosen, setChosen, setIsOwn] = useHeld<readonly Choice[]>(served);
  const placeholder = element.placeholder?.text ?? defaultPlaceholder(element.type);

  async function change(next: readonly Choice[]) {
    const before = chosen;
    setChosen(next);
    setIsOwn(true);
    // Options go whole: what an external menu offered, the server does not know by its value alone.
    const items = next.map(({ option, value }) => option ?? value);
    const isTaken = await choose({
      value: isMultiple ? items : items[0],
      state: { type: element.type, [field]: isMultiple ? items : (items[0] ?? null) },
    });
    if (!isTaken) setChosen(before);
    if (!isKept) setIsOwn(false);
  }

  return (
    <span className="kit-element">
      <Combobox
        isMultiple={isMultiple}
        max={('max_selected_items' in element && element.max_selected_items) || Number.POSITIVE_INFINITY}
        chosen={chosen}
        source={menuSource(element, blockId, surface)}
        onChange={change}
        placeholder={placeholder}
        control={controlProps(input, placeholder)}
        isPending={isPending}
        shouldFocus={element.focus_on_load === true}
      />
      {beside}
    </span>
  );
}

const placeholders: readonly (readonly [string, string])[] = [
  ['users', 'Choose a person'],
  ['channels', 'Choose a channel'],
  ['conversations', 'Choose a conversation'],
];

function defaultPlaceholder(type: string): string {
  return placeholders.find(([word]) => type.includes(word))?.[1] ?? 'Choose an option';
}
