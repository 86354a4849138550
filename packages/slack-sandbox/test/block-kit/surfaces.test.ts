import { describe, expect, test } from 'vitest';
import { blockSurfaces, elementSurfaces, type Surface } from '../../src/block-kit/surfaces.ts';
import { type Problem, validateMessage, validateView } from '../../src/block-kit/validation/validate.ts';
import { actions, blocks, button, input, inputElements, modal, plain, section, surfaces } from './samples.ts';

function checkOn(surface: Surface, block: unknown): { problems: Problem[]; base: string } {
  if (surface === 'message')
    return { problems: validateMessage({ text: 'Fleet', blocks: [block] }), base: '/blocks/0' };
  const view = surface === 'modal' ? modal([block]) : { type: 'home', blocks: [block] };
  return { problems: validateView(view), base: '/view/blocks/0' };
}

function sample(type: string): unknown {
  return Object.entries(blocks).find(([name]) => name === type)?.[1];
}

const blockCases = Object.entries(blockSurfaces).flatMap(([type, places]) =>
  surfaces.map((surface) => ({ type, surface, isAllowed: (places as readonly Surface[]).includes(surface) })),
);

describe('a block of each type', () => {
  test.each(blockCases)('$type in a $surface is allowed: $isAllowed', ({ type, surface, isAllowed }) => {
    const { problems, base } = checkOn(surface, sample(type));

    expect(problems).toEqual(
      isAllowed ? [] : [{ pointer: `${base}/type`, message: `unsupported type: ${type}` }],
    );
  });
});

const inputCases = Object.entries(inputElements).flatMap(([type, element]) =>
  surfaces.map((surface) => ({ type, element, surface })),
);

describe('an input of each type', () => {
  test.each(inputCases)(
    '$type in a $surface is allowed only where Slack allows it',
    ({ type, element, surface }) => {
      const { problems, base } = checkOn(surface, input(element));
      const places: Readonly<Record<string, readonly Surface[]>> = elementSurfaces;

      const expected = { pointer: `${base}/element/type`, message: `unsupported type: ${type}` };
      expect(problems).toEqual(places[type]?.includes(surface) ? [] : [expected]);
    },
  );
});

describe('an element in a block that does not accept it', () => {
  test.each([
    [
      'a plain text input among actions',
      actions(inputElements.plain_text_input),
      '/elements/0',
      'plain_text_input',
    ],
    [
      'a datetime picker beside a section',
      section({ accessory: inputElements.datetimepicker }),
      '/accessory',
      'datetimepicker',
    ],
    ['a button in an input', input(button()), '/element', 'button'],
    ['a button in a context', { type: 'context', elements: [button()] }, '/elements/0', 'button'],
    [
      'a container in a container',
      { ...blocks.container, child_blocks: [blocks.container] },
      '/child_blocks/0',
      'container',
    ],
    ['feedback among actions', actions({ type: 'feedback_buttons' }), '/elements/0', 'feedback_buttons'],
  ])('%s is rejected as an unsupported type', (_name, block, pointer, type) => {
    expect(validateMessage({ blocks: [block] })).toEqual([
      { pointer: `/blocks/0${pointer}/type`, message: `unsupported type: ${type}` },
    ]);
  });
});

test('a block that is unknown, has no type, has a wrong type or is not an object is a problem', () => {
  const strange = [{ type: 'hero' }, { text: plain('x') }, 'text', { type: { toString: 1 } }];

  expect(validateMessage({ blocks: strange })).toEqual([
    { pointer: '/blocks/0/type', message: 'unsupported type: hero' },
    { pointer: '/blocks/1', message: 'missing required field: type' },
    { pointer: '/blocks/2', message: 'must provide an object' },
    { pointer: '/blocks/3/type', message: 'must provide a string' },
  ]);
});

test('feedback buttons are allowed in context actions', () => {
  const choice = { text: plain('Good'), value: 'good' };
  const feedback = { type: 'feedback_buttons', positive_button: choice, negative_button: choice };

  expect(validateMessage({ blocks: [{ type: 'context_actions', elements: [feedback] }] })).toEqual([]);
});

test('a workflow button is allowed in a message', () => {
  const workflow = { trigger: { url: 'https://slack.com/shortcuts/Ft01/x' } };
  const element = { type: 'workflow_button', action_id: 'run', text: plain('Run'), workflow };

  expect(validateMessage({ blocks: [actions(element)] })).toEqual([]);
  expect(validateView(modal([actions(element)]))).toHaveLength(1);
});
