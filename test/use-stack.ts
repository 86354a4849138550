import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type RunningStack, type StackOptions, startStack } from './stack.ts';

/**
 * Registers a stack of its own for each test, or one for all tests of a file or a group. Options that differ from
 * start to start, such as a clock, come from a function.
 */
export function useStack(
  options: StackOptions | (() => StackOptions) = {},
  per: 'test' | 'group' = 'test',
): RunningStack {
  let stack: RunningStack | undefined;
  const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    stack = await startStack(typeof options === 'function' ? options() : options);
  });
  after(() => stack?.close());
  const running = () => {
    if (!stack) throw new Error('the stack is not running');
    return stack;
  };
  return {
    get appUrl() {
      return running().appUrl;
    },
    get serverUrl() {
      return running().serverUrl;
    },
    get slack() {
      return running().slack;
    },
    get service() {
      return running().service;
    },
    stopApp: () => running().stopApp(),
    close: () => running().close(),
  };
}
