import type { ReactNode } from 'react';
import type { Choice } from '../../combobox/choices.ts';
import { Combobox } from '../../combobox/combobox.tsx';
import { useSurface } from '../../surface.ts';
import { controlProps, type ElementProps } from '../element-props.ts';
import { useElement, useServerValue } from '../use-element.tsx';
import { createChoiceSource, readChosen, type SelectMenu, selectMenuConfig } from './choice-source.ts';

/** A select menu of any kind, for one or several choices. */
export function SelectMenuView(placed: ElementProps<SelectMenu>): ReactNode {
  const { element, blockId, input } = placed;
  const surface = useSurface();
  const { state, isPending, isFormInput, select, feedback } = useElement(placed);
  const { field, initial, isMultiple } = selectMenuConfig(element);
  const served = readChosen(element, state ? state[field] : initial, surface);
  const [chosen, setChosen, setIsOwn] = useServerValue<readonly Choice[]>(served);
  const placeholder = element.placeholder?.text ?? defaultPlaceholder(element.type);

  async function change(next: readonly Choice[]) {
    const before = chosen;
    setChosen(next);
    setIsOwn(true);
    // Whole options are sent, because the server can't find an external menu's option by its value
    // alone.
    const items = next.map(({ option, value }) => option ?? value);
    const isTaken = await select({
      value: isMultiple ? items : items[0],
      state: { type: element.type, [field]: isMultiple ? items : (items[0] ?? null) },
    });
    if (!isTaken) setChosen(before);
    if (!isFormInput) setIsOwn(false);
  }

  return (
    <span className="kit-element">
      <Combobox
        isMultiple={isMultiple}
        max={('max_selected_items' in element && element.max_selected_items) || Number.POSITIVE_INFINITY}
        chosen={chosen}
        source={createChoiceSource(element, blockId, surface)}
        onChange={change}
        placeholder={placeholder}
        control={controlProps(input, placeholder)}
        isPending={isPending}
        shouldFocus={element.focus_on_load === true}
      />
      {feedback}
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
