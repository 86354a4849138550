import { answerStalls } from './answer-stalls.ts';

// The baseline of stalls: a process that does nothing else.
answerStalls();
