import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createTheme } from './shell/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');
createRoot(root).render(<App theme={createTheme()} />);
