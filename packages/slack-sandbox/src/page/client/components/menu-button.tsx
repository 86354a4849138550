import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface MenuItem {
  readonly label: string;
  /** Shown before the label. `hint` is shown after it. */
  readonly icon?: ReactNode;
  readonly hint?: string | undefined;
  /** Whether this item is the current one, in a menu that has a current item. */
  readonly isSelected?: boolean;
  run(): void;
}

interface Props {
  /** The name of the menu. Also the name of the button if that shows no text. */
  readonly label: string;
  readonly hasTextLabel?: boolean;
  readonly className: string;
  readonly items: readonly MenuItem[];
  /** Shown below the items. */
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

/** A button that opens a short menu. Arrow keys move in the menu. Escape or a click outside closes it. */
export function MenuButton({
  label,
  hasTextLabel = false,
  className,
  items,
  note,
  children,
}: Props): ReactNode {
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
        aria-label={hasTextLabel ? undefined : label}
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
        onKeyDown={moveFocusInMenu}
      >
        {items.map((item) => (
          <button
            key={`${item.label} ${item.hint}`}
            type="button"
            className="menu-item"
            tabIndex={-1}
            onClick={() => run(item)}
            {...(item.isSelected === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemradio', 'aria-checked': item.isSelected })}
          >
            {item.icon}
            <span>{item.label}</span>
            {item.hint && <small>{item.hint}</small>}
          </button>
        ))}
        {note && <p className="empty">{note}</p>}
      </div>
    </>
  );
}

function moveFocusInMenu(event: KeyboardEvent<HTMLDivElement>) {
  const items = [...event.currentTarget.querySelectorAll('button')];
  const index = items.findIndex((item) => item.matches(':focus'));
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
  if (next !== undefined) {
    event.preventDefault();
    items.at(next % items.length)?.focus();
  } else if (event.key === 'Tab' || event.key === 'Escape') {
    // The browser doesn't handle Escape reliably right after the page has opened the menu.
    event.currentTarget.hidePopover();
  } else if (event.key.length === 1 && /\S/.test(event.key)) {
    const found = items.find(({ textContent }) =>
      textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
    );
    found?.focus();
  }
  event.stopPropagation();
}
