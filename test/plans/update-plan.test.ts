import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../src/errors.ts';
import { updatePlan } from '../../src/plans/plan-operations.ts';

/** Returns a plan that someone else changes at each read. */
function createBusyPlan() {
  let reads = 0;
  return async () => {
    reads += 1;
    return { name: 'Fleet', channel: `C0OPS${reads}` };
  };
}

describe('a change of a plan', () => {
  test("is made on top of someone else's", async () => {
    const change = async ({ channel }: { readonly channel: string }) =>
      channel === 'C0OPS3' ? channel : undefined;
    await expect(updatePlan('report', 'Fleet', createBusyPlan(), change)).resolves.toBe('C0OPS3');
  });

  test('is given up if others keep changing it', async () => {
    const update = updatePlan('watch', 'Fleet', createBusyPlan(), async () => undefined);
    await expect(update).rejects.toThrow(
      new RackhandError('input_invalid', 'Someone else is editing watch "Fleet". Try again.'),
    );
  });
});
