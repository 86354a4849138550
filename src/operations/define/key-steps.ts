import type { NextStep } from './outcome.ts';

/** Opens the modal for connecting the first API key. */
export const connectKeyStep: NextStep = { label: 'Connect…', operation: 'connect', input: {} };

/** Opens the modal for replacing the API key. */
export const replaceKeyStep: NextStep = { label: 'Replace Key…', operation: 'rotate', input: {} };
