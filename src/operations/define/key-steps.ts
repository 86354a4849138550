import type { NextStep } from './outcome.ts';

/** The button that opens the modal for connecting the first API key. */
export const connectKeyStep: NextStep = { label: 'Connect…', operation: 'connect', input: {} };

/** The button that opens the modal for replacing the API key. */
export const replaceKeyStep: NextStep = { label: 'Replace Key…', operation: 'rotate', input: {} };
