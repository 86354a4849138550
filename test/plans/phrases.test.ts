import { describe, expect, test } from 'vitest';
import { createMaintenanceOperations } from '../../src/monitoring/maintenance/maintenance-operations.ts';
import { createAddReportOperation } from '../../src/monitoring/reports/operations/add-report.ts';
import { readWhen } from '../../src/monitoring/shared/when-arguments.ts';
import { createCatalogue } from '../../src/operations/define/catalogue.ts';
import { parseCommand } from '../../src/operations/grammar/parse-command.ts';
import { createAddScheduleOperation } from '../../src/schedules/operations/add-schedule.ts';
import { nowMs, phrases, toMeaning, zone } from '../time/phrases.ts';

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
