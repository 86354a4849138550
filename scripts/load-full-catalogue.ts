import pino from 'pino';
import { createApp, type RackhandApp } from '../src/app.ts';
import type { Catalogue } from '../src/operations/define/operation.ts';

/** Returns the catalogue of all operations from an app that never starts. */
export async function loadFullCatalogue(): Promise<Catalogue> {
  const app = await createIdleApp();
  await app.stop();
  return app.catalogue;
}

/** Creates an app that never starts. Its operations can read its empty database until it is stopped. */
export function createIdleApp(): Promise<RackhandApp> {
  return createApp(
    {
      slack: {
        apiUrl: 'https://slack.com/api/',
        delivery: { mode: 'http', signingSecret: 'none' },
      },
      server: { host: '127.0.0.1', port: 0 },
      hosting: {
        baseUrl: 'https://hosting.example.com',
        keyHeader: 'authorization',
        pathOverrides: {},
        vpsActions: ['reboot'],
      },
      encryptionKeys: [new Uint8Array(32)],
      databaseUrl: 'sqlite::memory:',
    },
    { log: pino({ level: 'silent' }) },
  );
}
