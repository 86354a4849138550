import { openDatabase } from '../../src/db/engines/database.ts';

// A script that writes enough for the write-ahead log to be copied several times, and does nothing else.
const { db, close } = await openDatabase(process.argv[2] ?? '');
for (let number = 0; number < 3_500; number += 1) {
  await db
    .insertInto('instance_secret')
    .values({ name: `${number}`, secret_jwe: '' })
    .execute();
}
await close();
process.stdout.write('done\n');
