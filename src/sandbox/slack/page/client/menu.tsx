import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface MenuItem {
  readonly label: string;
  /** What stands before and behind the label. */
  readonly icon?: ReactNode;
  readonly hint?: string | undefined;
  /** Set where one of the items is the one in force. */
  readonly isChosen?: boolean;
  run(): void;
}

interface Props {
  /** The menu's name, and the button's unless words stand on it. */
  readonly label: string;
  readonly hasWords?: boolean;
  readonly className: string;
  readonly items: readonly MenuItem[];
  readonly children: ReactNode;
}

/** A button that opens a short menu. Arrow keys move in it; Escape, or a press elsewhere, closes it. */
export function MenuButton({ label, hasWords = false, className, items, children }: Props): ReactNode {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  function place() {
    if (!menu.current || !button.current) return;
    const box = button.current.getBoundingClientRect();
    const { offsetHeight: height, offsetWidth: width, style } = menu.current;
    const isLow = box.bottom + height > innerHeight && box.top > height;
    style.top = `${isLow ? box.top - height - 4 : box.bottom + 4}px`;
    style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
    const chosen = menu.current.querySelector<HTMLElement>('[aria-checked="true"]');
    (chosen ?? menu.current.querySelector<HTMLElement>('button'))?.focus();
  }

  function run(item: MenuItem) {
    menu.current?.hidePopover();
    item.run();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={hasWords ? undefined : label}
        title={label}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        className="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        onToggle={({ newState }) => newState === 'open' && place()}
        onKeyDown={moveInMenu}
      >
        {items.map((item) => (
          <button
            key={`${item.label} ${item.hint}`}
            type="button"
            className="menu-item"
            tabIndex={-1}
            onClick={() => run(item)}
            {...(item.isChosen === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
          >
            {item.icon}
            <span>{item.label}</span>
            {item.hint && <small>{item.hint}</small>}
          </button>
        ))}
      </div>
    </>
  );
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>) {
  const items = [...event.currentTarget.querySelectorAll('button')];
  const index = items.findIndex((item) => item.matches(':focus'));
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
  if (next !== undefined) {
    event.preventDefault();
    items.at(next % items.length)?.focus();
  } else if (event.key === 'Tab' || event.key === 'Escape') {
    // The browser's own way out by Escape is not sure right after the menu was opened by the page.
    event.currentTarget.hidePopover();
  } else if (event.key.length === 1 && /\S/.test(event.key)) {
    const found = items.find(({ textContent }) =>
      textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
    );
    found?.focus();
  }
  event.stopPropagation();
}
