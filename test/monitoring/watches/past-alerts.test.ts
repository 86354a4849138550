import { expect, test } from 'vitest';
import { createRowReader } from '../../../src/db/row-reader.ts';
import { createPastAlertStore } from '../../../src/monitoring/watches/past-alert-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';

const database = useTestDatabase(startSqlite);

test('alerts that were open in a period are listed, and one that cannot be read is left out', async () => {
  const alert = {
    watch_id: 'w1',
    team_id: 'T1',
    watch_name: 'CPU',
    ended_at: 5,
    acknowledged_by: null,
    acknowledged_at: null,
  };
  await database.db
    .insertInto('past_alert')
    .values([
      { ...alert, began_at: 1, vps: '["VPS-10001"]' },
      { ...alert, began_at: 2, vps: '{"of":"a later version"}' },
    ])
    .execute();
  const rowReader = createRowReader();
  const past = createPastAlertStore(database.db, rowReader);
  expect(await past.list('T1', { fromMs: 6, untilMs: 10 })).toEqual([]);
  const listed = await past.list('T1', { fromMs: 4, untilMs: 10 });
  expect(listed).toMatchObject([{ watchName: 'CPU', vps: ['VPS-10001'] }]);
  expect(rowReader.listUnreadable()).toMatchObject([{ table: 'past_alert', id: 'w1 2' }]);
});
