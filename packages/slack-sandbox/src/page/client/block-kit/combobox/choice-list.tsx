import { type ReactNode, useEffect } from 'react';
import { EmojiText } from '../markup/inline-elements.tsx';
import { renderByIndex } from '../render-by-index.ts';
import type { Choice, ChoiceGroup } from './choices.ts';

interface ChoiceListProps {
  readonly listId: string;
  readonly activeId: string | undefined;
  readonly groups: readonly ChoiceGroup[];
  readonly status?: string;
  readonly isFailed?: boolean;
  readonly isMultiple: boolean;
  /** Whether the maximum number of choices is selected. */
  readonly isFull: boolean;
  readonly max: number;
  optionId(index: number): string;
  isChosen(choice: Choice): boolean;
  pick(choice: Choice): void;
}

/** The choices of a menu, and its status line. */
export function ChoiceList(props: ChoiceListProps): ReactNode {
  const { listId, activeId, groups, status, isFailed, isMultiple, isFull, max } = props;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  let first = 0;
  return (
    <>
      <div id={listId} role="listbox" aria-label="Choices" aria-multiselectable={isMultiple}>
        {renderByIndex(groups, ({ label, choices }) => {
          const from = first;
          first += choices.length;
          const rows = <Rows {...props} choices={choices} from={from} />;
          if (label === undefined) return <div>{rows}</div>;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, not fieldsets
            <div role="group" aria-label={label}>
              <div className="kit-choices-heading" aria-hidden="true">
                <EmojiText text={label} />
              </div>
              {rows}
            </div>
          );
        })}
      </div>
      <output className={isFailed ? 'kit-choices-status kit-failed' : 'kit-choices-status'}>
        {status ?? (isFull && `You can choose up to ${max}.`)}
      </output>
    </>
  );
}

function Rows({
  choices,
  from,
  activeId,
  isFull,
  optionId,
  isChosen,
  pick,
}: ChoiceListProps & { readonly choices: readonly Choice[]; readonly from: number }): ReactNode {
  return choices.map((choice, index) => {
    const id = optionId(from + index);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focused field handles keys
      <div
        key={choice.value}
        id={id}
        role="option"
        className={id === activeId ? 'kit-choice kit-active' : 'kit-choice'}
        aria-selected={isChosen(choice)}
        aria-disabled={isFull && !isChosen(choice)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(choice)}
      >
        <EmojiText text={choice.label} />
        {choice.description && (
          <small>
            <EmojiText text={choice.description} />
          </small>
        )}
      </div>
    );
  });
}
