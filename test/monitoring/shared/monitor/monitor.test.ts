import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../../../src/errors.ts';
import { type Monitor, updateMonitor } from '../../../../src/monitoring/shared/monitor/monitor.ts';

const fleet: Monitor = {
  id: '1',
  teamId: 'T0ACME',
  name: 'Fleet',
  channel: 'C0OPS',
  createdBy: 'U0ALICE',
  state: { kind: 'active' },
};

/** A store whose monitor is moved to another channel by someone else at each read. */
function createBusyStore() {
  let reads = 0;
  return {
    async find(_teamId: string, name: string) {
      reads += 1;
      return name === fleet.name ? { ...fleet, channel: `C0OPS${reads}` } : undefined;
    },
  };
}

describe('a change of a report or a watch', () => {
  test("is made on top of someone else's", async () => {
    const change = async ({ channel }: Monitor) => (channel === 'C0OPS3' ? channel : undefined);
    await expect(updateMonitor('report', createBusyStore(), fleet, change)).resolves.toBe('C0OPS3');
  });

  test('is given up if others keep changing it', async () => {
    const update = updateMonitor('watch', createBusyStore(), fleet, async () => undefined);
    await expect(update).rejects.toThrow(
      new RackhandError('input_invalid', 'Someone else is editing watch "Fleet". Try again.'),
    );
  });

  test('is refused if there is none of this name', async () => {
    const lost = { ...fleet, name: 'Lost' };
    await expect(updateMonitor('watch', createBusyStore(), lost, async () => 'made')).rejects.toThrow(
      'There\'s no watch named "Lost" here.',
    );
  });
});
