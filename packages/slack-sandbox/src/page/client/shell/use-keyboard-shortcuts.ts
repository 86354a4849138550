import { useEffect, useRef } from 'react';

interface ShortcutHandlers {
  search(): void;
  help(): void;
  escape(): void;
}

/** Areas of the page between which F6 moves. */
const focusTargets =
  '.top-bar button, .sidebar [aria-current], .conversation textarea, .thread textarea, .dock [aria-selected="true"]';

/** Handles the page-wide keyboard shortcuts. */
export function useKeyboardShortcuts(keys: ShortcutHandlers): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (handleKey(event, current.current)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function handleKey(event: KeyboardEvent, keys: ShortcutHandlers): boolean {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) keys.search();
  else if (key === '?' && !isTyping()) keys.help();
  else if (key === 'Escape') handleEscape(keys);
  else if (key === 'F6') focusNextRegion(shiftKey ? -1 : 1);
  else return false;
  return true;
}

/**
 * Closes the open menu or, if there is none, handles Escape. Needed because a menu that was just
 * opened doesn't have the focus yet.
 */
function handleEscape(keys: ShortcutHandlers) {
  const menu = document.querySelector<HTMLElement>(':popover-open');
  if (menu) menu.hidePopover();
  else keys.escape();
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
}

function focusNextRegion(step: number) {
  const seen = new Set<Element | null>();
  const all = [...document.querySelectorAll<HTMLElement>(focusTargets)].filter((part) => {
    const region = part.closest('.top-bar, .sidebar, .conversation, .thread, .dock');
    if (seen.has(region) || part.offsetParent === null) return false;
    seen.add(region);
    return true;
  });
  const region = document.activeElement?.closest('.top-bar, .sidebar, .conversation, .thread, .dock');
  const index = all.findIndex((part) => region?.contains(part));
  all.at((index + step) % all.length)?.focus();
}
