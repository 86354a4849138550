import { useEffect, useRef } from 'react';

interface Keys {
  search(): void;
  help(): void;
  escape(): void;
}

/** Parts of the page that F6 goes through. */
const parts =
  '.top-bar button, .sidebar [aria-current], .conversation textarea, .thread textarea, .dock [aria-selected="true"]';

/** Hears the keys that mean the same everywhere on the page. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (press(event, current.current)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function press(event: KeyboardEvent, keys: Keys): boolean {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) keys.search();
  else if (key === '?' && !isTyping()) keys.help();
  else if (key === 'Escape') leave(keys);
  else if (key === 'F6') nextPart(shiftKey ? -1 : 1);
  else return false;
  return true;
}

/** A menu that has just been opened does not have the focus yet. */
function leave(keys: Keys) {
  const menu = document.querySelector<HTMLElement>(':popover-open');
  if (menu) menu.hidePopover();
  else keys.escape();
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
}

function nextPart(step: number) {
  const seen = new Set<Element | null>();
  const all = [...document.querySelectorAll<HTMLElement>(parts)].filter((part) => {
    const region = part.closest('.top-bar, .sidebar, .conversation, .thread, .dock');
    if (seen.has(region) || part.offsetParent === null) return false;
    seen.add(region);
    return true;
  });
  const region = document.activeElement?.closest('.top-bar, .sidebar, .conversation, .thread, .dock');
  const index = all.findIndex((part) => region?.contains(part));
  all.at((index + step) % all.length)?.focus();
}
