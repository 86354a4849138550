import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointRequest } from './checkpoint-thread.ts';

// The thread that copies the write-ahead log. Its syncs would block the event loop of the main
// thread.
const { file, keptLogBytes } = workerData;
const database = new DatabaseSync(file);
// The connection that restarts the log also cuts its file.
database.exec(
  `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 1000;
  PRAGMA journal_size_limit = ${Number(keptLogBytes)};`,
);

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'end') {
    database.close();
    parentPort?.close();
    return;
  }
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  if (request === 'restartLog') {
    // The first write after a copy restarts the log, and syncs its header.
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    database.exec(`PRAGMA user_version = ${Number(version)}`);
  }
  parentPort?.postMessage('done');
});
