import { type ReactNode, useRef } from 'react';
import { usePopup } from '../elements/use-popup.ts';
import { EmojiText } from '../markup/inline-elements.tsx';
import { ChoiceList } from './choice-list.tsx';
import type { Choice } from './choices.ts';
import { type ComboboxOptions, useCombobox } from './use-combobox.ts';

interface ComboboxProps extends ComboboxOptions {
  readonly placeholder: string;
  /** Attributes of the text field: its ID, name and description. */
  readonly control: object;
  readonly isPending: boolean;
  readonly shouldFocus: boolean;
}

/**
 * A menu with a text field, as in the ARIA combobox pattern. If several choices are possible, they
 * are shown as chips before the field.
 */
export function Combobox({
  placeholder,
  control,
  isPending,
  shouldFocus,
  ...options
}: ComboboxProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const combobox = useCombobox(options);
  const { isOpen, leave, listId, activeId, found } = combobox;
  const { isMultiple, chosen } = options;

  usePopup({ isOpen, anchor: box, popup, isWide: true, onLeave: leave });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only detects that the focus leaves
    <div
      ref={box}
      className={isMultiple ? 'kit-combo kit-combo-many' : 'kit-combo'}
      aria-busy={isPending}
      onBlur={({ relatedTarget }) => {
        if (!popup.current?.contains(relatedTarget) && !box.current?.contains(relatedTarget)) leave();
      }}
    >
      {isMultiple && <Chips chosen={chosen} onDrop={combobox.drop} />}
      <input
        {...control}
        {...combobox.field}
        type="text"
        role="combobox"
        className="kit-combo-field"
        autoComplete="off"
        spellCheck={false}
        placeholder={isMultiple && chosen.length > 0 ? '' : placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={activeId}
        data-focus-on-load={shouldFocus || undefined}
      />
      {!isMultiple && chosen.length > 0 && (
        <button
          type="button"
          className="kit-clear"
          aria-label="Clear selection"
          tabIndex={-1}
          onClick={combobox.clear}
        >
          ×
        </button>
      )}
      {isOpen && (
        <div ref={popup} className="kit-popup kit-choices" popover="manual">
          <ChoiceList {...combobox} {...found} isMultiple={isMultiple} />
        </div>
      )}
    </div>
  );
}

function Chips({ chosen, onDrop }: { readonly chosen: readonly Choice[]; onDrop(choice: Choice): void }) {
  return chosen.map((choice) => (
    <span key={choice.value} className="kit-chip">
      <EmojiText text={choice.label} />
      <button type="button" aria-label={`Remove ${choice.label}`} onClick={() => onDrop(choice)}>
        ×
      </button>
    </span>
  ));
}
