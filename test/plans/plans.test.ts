import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../src/errors.ts';
import { createMaintenanceOperations } from '../../src/monitoring/maintenance/maintenance-operations.ts';
import { createAddReportOperation } from '../../src/monitoring/reports/operations/add-report.ts';
import { readWhen } from '../../src/monitoring/shared/when-arguments.ts';
import { createCatalogue } from '../../src/operations/define/catalogue.ts';
import { parseCommand } from '../../src/operations/grammar/parse-command.ts';
import { planNameSchema, uniqueName } from '../../src/plans/plan-arguments.ts';
import { updatePlan } from '../../src/plans/plan-operations.ts';
import { createAddScheduleOperation } from '../../src/schedules/operations/add-schedule.ts';
import { nowMs, phrases, toMeaning, zone } from '../time/phrases.ts';

test('a default name is the one that its buttons look up', () => {
  const name = uniqueName('web-*,  tomorrow 09:00 to ', [{ name: 'web-*, tomorrow 09:00 to' }]);
  expect(name).toBe('web-*, tomorrow 09:00 to 2');
  expect(planNameSchema('maintenance').parse(name)).toBe(name);
  expect(uniqueName('web-* ', [])).toBe('web-*');
});

const dependencies = { store: {}, now: () => nowMs } as never;
const catalogue = createCatalogue([
  {
    heading: 'Plans',
    operations: [
      createAddReportOperation(dependencies),
      ...createMaintenanceOperations(dependencies).operations,
      createAddScheduleOperation(dependencies),
    ],
  },
]);

// A watch has no times.
describe.each([
  { kind: 'report', command: 'report add', end: '', options: ' --channel #ops' },
  { kind: 'maintenance', command: 'maintenance web-01', end: ' for 20m', options: ' --name Upgrade' },
  { kind: 'schedule', command: 'schedule reboot web-01', end: '', options: ' --announce 0m' },
])('the time of a $kind', ({ kind, command, end, options }) => {
  test.each(phrases)('typed as %s is %s', async (phrase, meaning) => {
    const parsed = parseCommand(`${command} ${phrase}${end}${options}`, catalogue);
    if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
    const when = String(parsed.raw.when);
    const isPeriod = kind === 'maintenance';
    const read = await readWhen({ timeZone: async () => zone }, { when }, { nowMs, isPeriod });
    if (read.kind === 'invalid') throw new Error(`${when}: ${read.problems[0]?.message}`);
    expect(toMeaning(read.when)).toBe(meaning);
  });
});

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
