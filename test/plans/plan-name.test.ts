import { expect, test } from 'vitest';
import { planNameSchema, uniqueName } from '../../src/plans/plan-arguments.ts';

test('a default name is the one that its buttons look up', () => {
  const name = uniqueName('web-*,  tomorrow 09:00 to ', [{ name: 'web-*, tomorrow 09:00 to' }]);
  expect(name).toBe('web-*, tomorrow 09:00 to 2');
  expect(planNameSchema('maintenance').parse(name)).toBe(name);
  expect(uniqueName('web-* ', [])).toBe('web-*');
});
