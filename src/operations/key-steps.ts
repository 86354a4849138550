import type { NextStep } from './outcome.ts';

/** The button that opens the dialog in which a workspace's first key is given. */
export const connectStep: NextStep = { label: 'Connect…', operation: 'connect', input: {} };

/** The button that opens the dialog in which another key is given. */
export const rotateStep: NextStep = { label: 'Replace Key…', operation: 'rotate', input: {} };
