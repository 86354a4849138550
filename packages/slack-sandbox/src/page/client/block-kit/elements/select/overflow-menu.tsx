import type { Overflow } from '@slack/types';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { PlainText } from '../../markup/text.tsx';
import { renderByIndex } from '../../render-by-index.ts';
import { openInNewTab } from '../button.tsx';
import type { ElementProps } from '../element-props.ts';
import { useElement } from '../use-element.tsx';
import { usePopup } from '../use-popup.ts';

/** A button with three dots that opens a short menu. */
export function OverflowView(placed: ElementProps<Overflow>): ReactNode {
  const { element } = placed;
  const { isPending, trigger, feedback } = useElement(placed);
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const menuId = useId();

  usePopup({ isOpen, anchor: button, popup: menu, onLeave: () => setIsOpen(false) });
  useEffect(() => {
    if (isOpen) listMenuItems(menu.current)[0]?.focus();
  }, [isOpen]);

  function close() {
    setIsOpen(false);
    button.current?.focus();
  }

  function pick({ value, url }: Overflow['options'][number]) {
    close();
    if (url) openInNewTab(url);
    void trigger(value);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Tab') setIsOpen(false);
    if (event.key === 'Escape') close();
    const items = listMenuItems(menu.current);
    const to = nextIndex(
      event.key,
      items.findIndex((item) => item.matches(':focus')),
      items.length,
    );
    if (to !== undefined) items[to]?.focus();
    if (to !== undefined || event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  return (
    <span className="kit-element">
      <button
        ref={button}
        type="button"
        className="kit-button kit-more"
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        aria-busy={isPending}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={menuId}
          className="kit-popup kit-menu"
          popover="manual"
          role="menu"
          tabIndex={-1}
          onKeyDown={onKeyDown}
        >
          {renderByIndex(element.options, (option) => (
            <button type="button" role="menuitem" tabIndex={-1} onClick={() => pick(option)}>
              <PlainText text={option.text} />
              {option.description && (
                <small>
                  <PlainText text={option.description} />
                </small>
              )}
            </button>
          ))}
        </div>
      )}
      {feedback}
    </span>
  );
}

function listMenuItems(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** Returns the index to which a key moves in a circular list. Returns undefined for other keys. */
function nextIndex(key: string, at: number, count: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  return undefined;
}
