import { createSlackSandbox } from 'slack-sandbox';
import { onTestFinished } from 'vitest';
import { createHostingSandbox, type HostingSandboxOptions } from '../../src/sandbox/hosting/sandbox.ts';
import { manifestWithHistory } from '../stack.ts';
import { createPostgresDatabase } from './postgres.ts';

/** Starts what replicas share: PostgreSQL and both sandboxes. They end with the test. */
export async function startReplicaServices(hostingOptions: Omit<HostingSandboxOptions, 'port'> = {}) {
  const postgres = await createPostgresDatabase();
  // Hooks run in reverse order, also if the test fails.
  onTestFinished(postgres.stop);
  const hosting = await createHostingSandbox({ port: 0, ...hostingOptions });
  onTestFinished(hosting.close);
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestWithHistory() });
  onTestFinished(slackSandbox.close);
  return { postgres, hosting, slackSandbox };
}
