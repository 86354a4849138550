import { createStore, type Store } from './store.ts';

export type Theme = 'light' | 'dark';

const key = 'theme';

/** The colours in force: those of the system, until the person chooses. */
export function createTheme(): Store<Theme> {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const ofSystem = (): Theme => (system.matches ? 'dark' : 'light');
  const chosen = localStorage.getItem(key);
  const store = createStore<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : ofSystem());
  const show = () => {
    document.documentElement.dataset.theme = store.get();
  };
  system.addEventListener('change', () => {
    if (localStorage.getItem(key) === null) store.set(ofSystem());
  });
  store.subscribe(show);
  show();
  return store;
}

/** Keeps a choice for the next visit. One that is the system's own is no choice. */
export function chooseTheme(theme: Store<Theme>, next: Theme): void {
  const isSystems = (next === 'dark') === matchMedia('(prefers-color-scheme: dark)').matches;
  if (isSystems) localStorage.removeItem(key);
  else localStorage.setItem(key, next);
  theme.set(next);
}
