import { type RefObject, useEffect, useLayoutEffect } from 'react';

const gapPx = 4;
const marginPx = 8;

interface PopupOptions {
  readonly isOpen: boolean;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly popup: RefObject<HTMLElement | null>;
  /** Makes the popup at least as wide as its anchor. */
  readonly isWide?: boolean;
  onLeave(): void;
}

/**
 * Shows a popover above or below its anchor, inside the window. Reports clicks outside both of
 * them.
 */
export function usePopup({ isOpen, anchor, popup, isWide = false, onLeave }: PopupOptions): void {
  useLayoutEffect(() => {
    const shown = popup.current;
    const beside = anchor.current;
    if (!isOpen || !shown || !beside) return undefined;
    shown.showPopover();
    const place = () => positionPopup(shown, beside, isWide);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(shown);
    addEventListener('scroll', place, { capture: true, passive: true });
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
      if (shown.matches(':popover-open')) shown.hidePopover();
    };
  }, [isOpen, anchor, popup, isWide]);

  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node)) return;
      if (!anchor.current?.contains(target) && !popup.current?.contains(target)) onLeave();
    };
    addEventListener('pointerdown', onPress, { capture: true });
    return () => removeEventListener('pointerdown', onPress, { capture: true });
  });
}

function positionPopup(shown: HTMLElement, beside: HTMLElement, isWide: boolean): void {
  const at = beside.getBoundingClientRect();
  const { style } = shown;
  if (isWide) style.minWidth = `${Math.min(at.width, innerWidth - 2 * marginPx)}px`;
  const below = innerHeight - at.bottom - gapPx - marginPx;
  const above = at.top - gapPx - marginPx;
  const isAbove = shown.scrollHeight > below && above > below;
  style.maxHeight = `${Math.max(120, Math.min(340, isAbove ? above : below))}px`;
  const top = isAbove ? at.top - gapPx - shown.offsetHeight : at.bottom + gapPx;
  style.top = `${Math.max(marginPx, top)}px`;
  style.left = `${Math.max(marginPx, Math.min(at.left, innerWidth - shown.offsetWidth - marginPx))}px`;
}
