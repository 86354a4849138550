import { expect, test } from 'vitest';
import { addShape, type Shapes } from './answer-shapes.ts';
import { callMethods } from './call-methods.ts';
import { collectPayloads } from './collect-payloads.ts';
import { listDifferences, readKnownShapes } from './compare-shapes.ts';

/** Methods without a sample. */
const methodsWithoutSample: ReadonlySet<string> = new Set([
  ...['agents.sessions.rename', 'agents.sessions.setStatus', 'blocks.validate'],
  ...['search.all', 'search.messages'],
]);

/** Events without a sample. */
const eventsWithoutSample: ReadonlySet<string> = new Set([
  ...['agent_session_title_changed', 'assistant_thread_started', 'message.assistant_app_thread'],
]);

test('the answers and events have the fields and types of the samples', async () => {
  const { answers, events } = await callMethods();
  expect(answers.size).toBe(112);
  const answerShapes: Shapes = new Map();
  for (const [method, answer] of answers) addShape(answerShapes, method, answer);
  for (const method of methodsWithoutSample) answerShapes.delete(method);
  expect(listDifferences(answerShapes, readKnownShapes('answer-shapes.txt'))).toEqual([]);

  const all: Shapes = new Map();
  for (const event of events) {
    const name = typeof event.subtype === 'string' ? `${event.type}.${event.subtype}` : event.type;
    if (!eventsWithoutSample.has(name)) addShape(all, name, event);
  }
  // Objects inside events are those of the answers.
  const eventShapes = new Map([...all].filter(([place]) => !place.startsWith('@')));
  expect(eventShapes.size).toBe(37);
  expect(listDifferences(eventShapes, readKnownShapes('event-shapes.txt'))).toEqual([]);
});

test('commands, clicks, message shortcuts and views have the fields and types of the samples', async () => {
  const shapes: Shapes = new Map();
  for (const payload of await collectPayloads()) {
    const name = typeof payload.type === 'string' ? payload.type : 'slash_command';
    // Global shortcuts have no sample.
    if (name !== 'shortcut') addShape(shapes, name, payload);
  }
  const known = readKnownShapes('payload-shapes.txt');
  expect([...known.keys()].filter((place) => !place.startsWith('@'))).toHaveLength(5);
  expect(listDifferences(shapes, known)).toEqual([]);
});
