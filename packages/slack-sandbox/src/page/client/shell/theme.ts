import { createStore, type Store } from '../state/store.ts';

export type Theme = 'light' | 'dark';

const storageKey = 'theme';

/** Creates the store of the theme. It follows the system until the person chooses a theme. */
export function createTheme(): Store<Theme> {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const ofSystem = (): Theme => (system.matches ? 'dark' : 'light');
  const chosen = localStorage.getItem(storageKey);
  const store = createStore<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : ofSystem());
  const show = () => {
    document.documentElement.dataset.theme = store.get();
  };
  system.addEventListener('change', () => {
    if (localStorage.getItem(storageKey) === null) store.set(ofSystem());
  });
  store.subscribe(show);
  show();
  return store;
}

/** Stores a choice for the next visit. Choosing the system's theme removes the stored choice. */
export function chooseTheme(theme: Store<Theme>, next: Theme): void {
  const isSystems = (next === 'dark') === matchMedia('(prefers-color-scheme: dark)').matches;
  if (isSystems) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, next);
  theme.set(next);
}
